// Records process warnings of the tests. Loaded with `--import` into every process and thread of a test run.
// Plain JavaScript: stripping types from the first module would cost 18 MB more memory than in production.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'

/** Allowed warnings as `name: start of the message`, with their reasons. The list only shrinks. */
const allowed = {
  'ExperimentalWarning: The ML-DSA-44 Web Crypto API algorithm':
    'Node marks it as experimental; a library that console tests load probes the supported algorithms',
  'ExperimentalWarning: The supports Web Crypto API method': 'the same',
}

const options = new URL(import.meta.url).searchParams
// A child process records for the test process that started it, a thread for its own process.
const file = join(options.get('folder') ?? '.', `muster-warnings-${options.get('owner') ?? process.pid}`)

process.on('warning', ({ name, message, stack }) => {
  if (Object.keys(allowed).some((start) => `${name}: ${message}`.startsWith(start))) return
  appendFileSync(file, `${argv.slice(1, 4).join(' ')}\n${stack ?? `${name}: ${message}`}\n\n`, {
    mode: 0o600,
  })
})
