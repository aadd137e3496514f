'use strict';

const field = id => document.getElementById(id);

// The API's answer, or its sentence of what was wrong as an Error.
async function call(method, path, body) {
  const response = await fetch('/api' + path, {
    method,
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(answer.detail || answer.title);
  return answer;
}

async function show() {
  const todos = await call('GET', '/todos?limit=100');
  field('todos').replaceChildren(...todos.map(todo => {
    const item = document.createElement('li');
    item.textContent = todo.title;
    item.className = todo.done ? 'done' : '';
    return item;
  }));
}

async function attempt(work) {
  field('problem').hidden = true;
  try {
    await work();
  } catch (error) {
    field('problem').textContent = error.message;
    field('problem').hidden = false;
  }
}

field('add').addEventListener('submit', event => {
  event.preventDefault();
  attempt(async () => {
    await call('POST', '/todos', { title: field('title').value });
    field('title').value = '';
    await show();
  });
});
attempt(show);
