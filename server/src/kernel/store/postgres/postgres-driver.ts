import { registerHooks } from 'node:module'

type Replacement = readonly [place: string, replaced: string]

const watchUrl = new URL('./postgres-watch.ts', import.meta.url).href
const messagesUrl = new URL('./postgres-messages.ts', import.meta.url).href
const transactionsUrl = new URL('./postgres-transactions.ts', import.meta.url).href

/** 68 is the kind of a row. */
const received = `function received(part) {
    watch.heard()
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

/** Leaves nothing of a statement to the next one. */
const forget = `query = results = errorResponse = null
    rows = 0
    result = new Result()`

/**
 * The driver of PostgreSQL (postgres.js 3.4.9), changed while it is loaded.
 *
 * Mistakes of its own are mended. A statement that it is about to send when its connection closes makes it write to a
 * socket that is gone, outside of every promise, which ends the process (github.com/porsager/postgres/issues/1208); and
 * what was left to send would stand in front of the first message of the next connection. Mended, the statement fails as
 * one of a lost connection does. A statement that fails behind its first rows leaves their number to the next one, whose
 * rows come behind as many holes (issues/1119), and one whose connection is lost leaves its error. And a connection by which
 * nothing comes any more is kept for as long as the system tries to send to it (`silenceWatch`).
 *
 * Of the connections that are free it takes the one that was used last, not the one that has rested longest: there the
 * statement has been prepared already, and PostgreSQL has in memory what it needs for it.
 *
 * And what it receives is read into memory that is used again, not into new memory for each part, of which some is copied
 * once more; a statement can have its rows given as they come (`row`). Rows are read at once where they lie. Other messages,
 * and rows that the driver would keep as bytes, are copied.
 *
 * A transaction counts as committed only when PostgreSQL says so: `COMMIT` of a failed transaction is answered with
 * `ROLLBACK`, and outside of a transaction with a warning. Both are errors. Settings of the session (`settings`) are sent as
 * statements before the first one, not as startup parameters, which poolers refuse or ignore.
 *
 * A statement is settled by methods, not by functions of its own. With those, one statement that V8 took for long-lived made
 * it keep all that came after, with their answers, until the next full collection.
 */
const changes: Readonly<Record<string, readonly Replacement[]>> = {
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
      `${forget}\n    onclose(connection, Errors.connection('CONNECTION_CLOSED'`,
    ],
    ['query = results = errorResponse = null\n    result = new Result()', forget],
    ['(query = q, query.active = true)', '(query = q, query.active = true, watch.begin())'],
    [
      'socket.removeAllListeners()\n    socket = null',
      'socket.removeAllListeners()\n    watch.end()\n    socket = null',
    ],
    [
      'import b from ',
      `import { messageSplitter, readInto } from ${JSON.stringify(messagesUrl)}
import { silenceWatch } from ${JSON.stringify(watchUrl)}
import { isTransactionWarning } from ${JSON.stringify(transactionsUrl)}\nimport b from `,
    ],
    [
      'let socket = null',
      `let socket = null
    , needsSettings = false
    , split = messageSplitter()
    , watch = silenceWatch(options.silenceMs, () => (query || sent.length > 0) && socket, lost => lost.destroy())`,
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
      ${forget}
      return reconnect()
    }`,
    ],
    [
      'function NoticeResponse(x) {',
      'function NoticeResponse(x) {\n    if (isTransactionWarning(parseError(x).code)) return ErrorResponse(x)\n',
    ],
    [': new net.Socket()', ': new net.Socket(ssl ? undefined : { onread: readInto(received) })'],
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
      'onnotice        : o.onnotice,\n    silenceMs       : o.silenceMs,\n    settings        : o.settings,',
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

/** The source of a file of the driver, changed. A test fails when the driver that is installed lacks one of the places. */
export const mend = (file: string, source: string): string =>
  (changes[file] ?? []).reduce((text, [place, replaced]) => text.replace(place, replaced), source)

/** The files that are changed, and what is looked for in each. */
export const mendedPlaces: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(changes).map(([file, replacements]) => [file, replacements.map(([place]) => place)]),
)

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const file = driverFile.exec(url)?.[1] ?? ''
    if (!(file in changes) || !loaded.source) return loaded
    return { ...loaded, source: mend(file, Buffer.from(loaded.source as Uint8Array).toString()) }
  },
})

export const { default: postgres } = await import('postgres')
hooks.deregister()
