import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mend } from './postgres-driver.ts'

test('both places that are mended are in the driver that is installed', () => {
  const driver = fileURLToPath(import.meta.resolve('postgres')).replace(/[^/\\]+$/, 'connection.js')
  const changed = mend(readFileSync(driver, 'utf8'))
  expect(changed).toContain('socket ? socket.write(chunk, fn) : (error(')
  expect(changed).toContain('clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null')
})
