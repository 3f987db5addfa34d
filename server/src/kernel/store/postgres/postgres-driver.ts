import { registerHooks } from 'node:module'

type Replacement = readonly [original: string, replacement: string]

const responseTimeoutUrl = new URL('./postgres-response-timeout.ts', import.meta.url).href
const messagesUrl = new URL('./postgres-messages.ts', import.meta.url).href
const transactionsUrl = new URL('./postgres-transactions.ts', import.meta.url).href

/** 68 (`D`) is the type of a row message. */
const received = `function received(part) {
    timeout.heard()
    terminated || split(part, take)
  }

  function take(message) {
    try {
      handle(message[0] === 68 && !(query && query.isRaw) ? message : Buffer.from(message))
    } catch (e) {
      query && (query.cursorFn || query.describeFirst) && write(Sync)
      errored(e)
    }
  }`

/** Clears the state of a statement before the next one. */
const resetStatement = `query = results = errorResponse = null
    rows = 0
    result = new Result()`

/**
 * Patches for the PostgreSQL driver (postgres.js 3.4.9), applied when it is loaded.
 *
 * Fixes:
 * - A statement that is sent while its connection closes writes to a destroyed socket. The error is outside every promise and
 *   ends the process (github.com/porsager/postgres/issues/1208), and the unsent bytes precede the first message of the next
 *   connection. Patched, the statement is rejected as on a lost connection.
 * - A statement that fails after its first rows leaves their number to the next one, whose result then starts with as many
 *   holes (issues/1119). One whose connection is lost leaves its error.
 * - A connection on which nothing arrives any more is closed (`responseTimeout`), not kept until the system gives up.
 * - A transaction counts as committed only if PostgreSQL says so. A failed transaction answers `COMMIT` with `ROLLBACK`, and
 *   `COMMIT` outside a transaction yields a warning. Both are errors.
 *
 * Changes:
 * - Session settings (`settings`) are sent as a statement before the first one. Poolers refuse or ignore startup parameters.
 * - Of the free connections, the most recently used one is taken: it has the statement prepared and its data cached.
 * - Received data is read into one buffer that is reused. Rows can be processed as they arrive (`row`), without a copy; other
 *   messages, and rows that the driver keeps as bytes, are copied.
 * - A statement is settled by methods rather than by two closures. With closures, one statement in V8's old generation kept
 *   all later ones and their results until the next full collection.
 */
const patches: Readonly<Record<string, readonly Replacement[]>> = {
  'connection.js': [
    [
      'const x = socket.write(chunk, fn)',
      "const x = socket ? socket.write(chunk, fn) : (error(Errors.connection('CONNECTION_CLOSED', options)), query = null, false)",
    ],
    [
      'incomings = null\n    clearImmediate(nextWriteTimer)',
      'incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    split = messageSplitter()',
    ],
    [
      "onclose(connection, Errors.connection('CONNECTION_CLOSED'",
      `${resetStatement}\n    onclose(connection, Errors.connection('CONNECTION_CLOSED'`,
    ],
    ['query = results = errorResponse = null\n    result = new Result()', resetStatement],
    ['(query = q, query.active = true)', '(query = q, query.active = true, timeout.begin())'],
    [
      'socket.removeAllListeners()\n    socket = null',
      'socket.removeAllListeners()\n    timeout.end()\n    socket = null',
    ],
    [
      'import b from ',
      `import { messageSplitter, readIntoSharedBuffer } from ${JSON.stringify(messagesUrl)}
import { responseTimeout } from ${JSON.stringify(responseTimeoutUrl)}
import { isTransactionWarning } from ${JSON.stringify(transactionsUrl)}\nimport b from `,
    ],
    [
      'let socket = null',
      `let socket = null
    , needsSettings = false
    , split = messageSplitter()
    , timeout = responseTimeout(options.responseTimeoutMs, () => (query || sent.length > 0) && socket, lost => lost.destroy())`,
    ],
    [
      'statements = {}\n      needsTypes = options.fetch_types',
      'statements = {}\n      needsSettings = options.settings !== undefined',
    ],
    [
      'if (needsTypes) {\n        initial.reserve && (initial = null)\n        return fetchArrayTypes()',
      `if (needsSettings) {
        needsSettings = false
        initial.reserve && (initial = null)
        return void new Query([options.settings], [], execute, null, { simple: true }).catch(() => undefined)`,
    ],
    [
      'if (initial)\n      return reconnect()',
      `if (initial) {
      ${resetStatement}
      return reconnect()
    }`,
    ],
    [
      'function NoticeResponse(x) {',
      'function NoticeResponse(x) {\n    if (isTransactionWarning(parseError(x).code)) return ErrorResponse(x)\n',
    ],
    [': new net.Socket()', ': new net.Socket(ssl ? undefined : { onread: readIntoSharedBuffer(received) })'],
    ["socket.on('data', data)", "socket.on('data', received)"],
    ['function data(x) {', `${received}\n\n  function data(x) {`],
    [
      'function DataRow(x) {',
      'function DataRow(x) {\n    if (query.options.row) return query.options.row(x)\n',
    ],
  ],
  'index.js': [
    [
      'onnotice        : o.onnotice,',
      'onnotice        : o.onnotice,\n    responseTimeoutMs: o.responseTimeoutMs,\n    settings        : o.settings,',
    ],
    ['import os from ', `import { checkCommitted } from ${JSON.stringify(transactionsUrl)}\nimport os from `],
    [': await sql`commit`', ': checkCommitted(await sql`commit`)'],
    ['return go(open.shift(), query)', 'return go(open.pop(), query)'],
    ['? open.shift()', '? open.pop()'],
  ],
  'query.js': [
    [
      'this.resolve = x => (this.active = false, resolve(x))\n    this.reject = x => (this.active = false, reject(x))',
      'this.fulfill = resolve\n    this.fail = reject',
    ],
    [
      'static get [Symbol.species]() {',
      'resolve(x) { this.active = false; this.fulfill(x) }\n\n  reject(x) { this.active = false; this.fail(x) }\n\n  static get [Symbol.species]() {',
    ],
  ],
  'queue.js': [
    [
      'push: (x) => (xs.push(x), x),',
      'push: (x) => (xs.push(x), x),\n    pop: () => { const out = xs.pop(); if (index === xs.length) { index = 0; xs = [] } return out },',
    ],
  ],
}

const driverFile = /\/postgres\/src\/([\w-]+\.js)$/

/** Applies the patches to the source of a file of the driver. A test fails if the installed driver lacks a patched text. */
export const patchDriver = (file: string, source: string): string =>
  (patches[file] ?? []).reduce((text, [original, replacement]) => text.replace(original, replacement), source)

/** Original texts that are replaced, by file. */
export const patchedTexts: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(patches).map(([file, replacements]) => [file, replacements.map(([original]) => original)]),
)

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const file = driverFile.exec(url)?.[1] ?? ''
    if (!(file in patches) || !loaded.source) return loaded
    return { ...loaded, source: patchDriver(file, Buffer.from(loaded.source as Uint8Array).toString()) }
  },
})

export const { default: postgres } = await import('postgres')
hooks.deregister()
