// Given to pages by `mouse serve` alone, which fills in the generation: asks for the server's generation twice a second
// (a 304 as long as it is the same), loads the page again when it has changed, and shows the
// mistake that keeps the version before serving.
(() => {
  'use strict';
  const mine = '@GENERATION@';

  function show(problem) {
    let box = document.getElementById('mouse-problem');
    if (!problem) {
      if (box) box.remove();
      return;
    }
    if (!box) {
      box = document.createElement('pre');
      box.id = 'mouse-problem';
      box.setAttribute('role', 'alert');
      box.style.cssText = 'position:fixed;inset:auto 0 0 0;margin:0;padding:1rem;max-height:60vh;' +
        'overflow:auto;background:#2b1115;color:#ffd9d9;font:14px/1.4 monospace;z-index:2147483647';
      document.body.append(box);
    }
    box.textContent = problem;
  }

  async function look() {
    const response = await fetch('/.mouse/version.json', { cache: 'no-cache' });
    const { generation, problem } = await response.json();
    if (generation !== mine) location.reload();
    show(problem);
  }

  setInterval(() => { if (!document.hidden) look().catch(() => {}); }, 500);
})();
