const docs = document.getElementById("docs");
SwaggerUIBundle({
  url: docs.dataset.document,
  domNode: docs,
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  onComplete: () => {
    const title = docs.querySelector(".info .title");
    if (title) document.title = title.firstChild.textContent.trim();
  },
});
