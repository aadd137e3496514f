// Tokens live in this page alone: a reload forgets them, and the cookie kli, which no script
// can read, brings a new one.
'use strict';

const secret = 'a secret that every browser knows'; // of mrpc.conf, for user_id 0
const field = id => document.getElementById(id);
const session = { token: null };
const mrpc = { user: 0, token: secret };

// One answer on the page; data-calls counts them.
async function show(response) {
  const text = await response.text();
  field('status').textContent = response.status;
  field('retry').textContent = response.headers.get('Retry-After') || '';
  field('answer').textContent = text;
  document.body.dataset.calls = 1 + Number(document.body.dataset.calls || 0);
  return response.ok && text ? JSON.parse(text) : null;
}

async function call(method, path, body) {
  const headers = {};
  if (session.token) headers.Authorization = 'Bearer ' + session.token;
  if (body) headers['Content-Type'] = 'application/json';
  return show(await fetch('/api' + path, { method, headers, body: body && JSON.stringify(body) }));
}

const hex = bytes => Array.from(new Uint8Array(bytes), b => b.toString(16).padStart(2, '0')).join('');

// HMAC-SHA256 over the bytes of data and the seed, as mouse-php's clients sign.
async function sign(text, key) {
  const utf8 = new TextEncoder();
  const made = await crypto.subtle.importKey('raw', utf8.encode(key),
    { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return hex(await crypto.subtle.sign('HMAC', made, utf8.encode(text)));
}

async function signed(path, content) {
  const data = JSON.stringify(content);
  const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
  const head = JSON.stringify({ user_id: mrpc.user, version: '1', request_tag: path,
    timestamp: Date.now(), seed, auth: await sign(data + seed, mrpc.token) });
  const body = head.slice(0, -1) + ',"data":' + data + '}';
  const answer = await show(await fetch('/mrpc' + path,
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }));
  return answer && answer.success ? answer.data : null;
}

const take = answer => { if (answer) session.token = answer.token; };
const name = () => field('name').value, password = () => field('password').value;
const buttons = {
  'register': () => call('POST', '/register', { name: name(), password: password() }),
  'login': async () => take(await call('POST', '/login',
    { name: name(), password: password(), remember: field('remember').checked })),
  'me': () => call('GET', '/me'),
  'refresh': async () => take(await call('POST', '/refresh')),
  'reload': async () => take(await call('POST', '/reload')),
  'logout': async () => { await call('POST', '/logout'); session.token = null; },
  'mrpc-login': async () => {
    Object.assign(mrpc, { user: 0, token: secret });
    const answer = await signed('/login', { username: name(), password: password() });
    if (answer) Object.assign(mrpc, { user: answer.user_id, token: answer.token });
  },
  'mrpc-me': () => signed('/me', {}),
  'mrpc-logout': async () => {
    await signed('/logout', {});
    Object.assign(mrpc, { user: 0, token: secret });
  },
};
for (const [id, run] of Object.entries(buttons)) field(id).addEventListener('click', run);
