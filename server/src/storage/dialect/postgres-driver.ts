import { registerHooks } from 'node:module'

type Replacement = readonly [place: string, replaced: string]

/**
 * The driver of PostgreSQL (postgres.js 3.4.9), changed in two ways while it is loaded.
 *
 * One mistake of its own is mended: a statement that it is about to send when its connection closes makes it write to a
 * socket that is gone, outside of every promise, which ends the process (github.com/porsager/postgres/issues/1208); and
 * what was left to send would stand in front of the first message of the next connection. Mended, the statement fails as
 * one of a lost connection does.
 *
 * And of the connections that are free it takes the one that was used last, not the one that has rested longest: there
 * the statement has been prepared already, and PostgreSQL has in memory what it needs for it.
 */
const changes: Readonly<Record<string, readonly Replacement[]>> = {
  'connection.js': [
    [
      'const x = socket.write(chunk, fn)',
      "const x = socket ? socket.write(chunk, fn) : (error(Errors.connection('CONNECTION_CLOSED', options)), false)",
    ],
    [
      'incomings = null\n    clearImmediate(nextWriteTimer)',
      'incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null',
    ],
  ],
  'index.js': [
    ['return go(open.shift(), query)', 'return go(open.pop(), query)'],
    ['? open.shift()', '? open.pop()'],
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
