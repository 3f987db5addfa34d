import { registerHooks } from 'node:module'

/**
 * The driver of PostgreSQL (postgres.js 3.4.9), with one mistake of its own mended while it is loaded: a statement
 * that it is about to send when its connection closes makes it write to a socket that is gone, outside of every
 * promise, which ends the process (github.com/porsager/postgres/issues/1208); and what was left to send would stand
 * in front of the first message of the next connection. Mended, the statement fails as one of a lost connection does.
 */
const mended: readonly (readonly [broken: string, whole: string])[] = [
  [
    'const x = socket.write(chunk, fn)',
    "const x = socket ? socket.write(chunk, fn) : (error(Errors.connection('CONNECTION_CLOSED', options)), false)",
  ],
  [
    'incomings = null\n    clearImmediate(nextWriteTimer)',
    'incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null',
  ],
]

/** The source of the driver's connection, mended; one of another version, which lacks these places, as it is. */
export const mend = (source: string): string =>
  mended.reduce((text, [broken, whole]) => text.replace(broken, whole), source)

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/postgres/src/connection.js') || !loaded.source) return loaded
    return { ...loaded, source: mend(Buffer.from(loaded.source as Uint8Array).toString()) }
  },
})

export const { default: postgres } = await import('postgres')
hooks.deregister()
