import { spawn } from 'node:child_process'
import { once } from 'node:events'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { freePort } from './free-port.ts'

/** A Redis that serves the bench alone and keeps nothing. */
export interface RedisProcess {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts a Redis (or Valkey) in memory.
 *
 * @returns undefined if the machine has none
 */
export async function startRedis(): Promise<RedisProcess | undefined> {
  const command = programs.redis.find()
  if (!command) return undefined
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-4000)
      if (said.includes('eady to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`Redis did not start: ${said}`)))
    child.once('error', reject)
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
