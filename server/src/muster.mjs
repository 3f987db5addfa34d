#!/usr/bin/env node
// The entry of the command line, in plain JavaScript: what Node makes JavaScript of TypeScript with stays in memory once
// a file had to pass through it, 18 MB, and files that it finds in the cache need not.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import './lib/bundled-packages.mjs'

// A server replaces its process by one with limits that can only be set before it starts. Otherwise V8 takes up to 96 MiB
// for young objects, and glibc keeps up to eight arenas per core, each as large as its threads once needed: a password that
// is hashed takes 19 MiB, which stays in an arena unless blocks of that size are mapped on their own. A process that has a
// channel to its parent (`node --watch`) would lose it.
const servesLong = ['serve', 'demo'].includes(process.argv[2] ?? '')
if (process.platform === 'linux' && servesLong && !process.env.GLIBC_TUNABLES && !process.send) {
  const node = [process.execPath, ...process.execArgv, '--max-semi-space-size=4', '--memory-saver-mode']
  const malloc = { arena_max: 2, mmap_threshold: 2 ** 20, trim_threshold: 2 ** 20 }
  process.execve(process.execPath, [...node, ...process.argv.slice(1)], {
    ...process.env,
    GLIBC_TUNABLES: Object.entries(malloc)
      .map(([name, value]) => `glibc.malloc.${name}=${value}`)
      .join(':'),
  })
}

// What Node has compiled once it finds beside the packages the next time, and starts in half the time. Not in the folder
// for temporary files, where other users of the machine could leave code for us.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/muster'))
await import('./main.ts')
