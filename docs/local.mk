# docs: Markdown; t/gates/pages.sh checks that nothing lacks its page.
EXTRA_DIST += docs README.md CHANGES LICENSE bootstrap .clang-format
