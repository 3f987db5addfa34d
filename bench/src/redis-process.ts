import { spawn } from 'node:child_process'
import { once } from 'node:events'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { freePort } from './free-port.ts'

/** A private Redis server without persistence. */
export interface RedisProcess {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts a Redis (or Valkey) in memory.
 *
 * @returns undefined if none is installed
 */
export async function startRedis(): Promise<RedisProcess | undefined> {
  const command = programs.redis.find()
  if (!command) return undefined
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      output = (output + part.toString()).slice(-4000)
      if (output.includes('eady to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`Redis did not start: ${output}`)))
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
