// Notes process warnings of the tests: loaded into every process and thread of a test run by `--import`.
// Plain JavaScript: a process that strips types from its first module would use 18 MB more than in production.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'

/** Warnings that are allowed, as `name: start of the message`, each with its reason. The list only shrinks. */
const allowed = {
  'ExperimentalWarning: The ML-DSA-44 Web Crypto API algorithm':
    'Node marks it as experimental; a library that tests of the console load asks which algorithms there are',
  'ExperimentalWarning: The supports Web Crypto API method': 'the same',
}

const options = new URL(import.meta.url).searchParams
// A child process notes for the test process that started it, a thread for its own process.
const file = join(options.get('folder') ?? '.', `muster-warnings-${options.get('owner') ?? process.pid}`)

process.on('warning', ({ name, message, stack }) => {
  if (Object.keys(allowed).some((start) => `${name}: ${message}`.startsWith(start))) return
  appendFileSync(file, `${argv.slice(1, 4).join(' ')}\n${stack ?? `${name}: ${message}`}\n\n`, {
    mode: 0o600,
  })
})
