import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MusterService } from '../../e2e/src/muster-service.ts'
import { freePort } from '../../test/support/private-server.ts'
import { until } from '../../test/support/until.ts'
import type { ProcessOptions, Product, Stage } from './lab-product.ts'
import type { ReverseProxy } from './reverse-proxy.ts'

const readyWithinMs = 180_000

/**
 * Shell script between the lab and a product. It ends the product's process group when its standard input closes, which
 * the system does however the lab ends.
 */
const supervisor = `
exec 3<&0
( cat <&3; kill -KILL 0 ) >/dev/null 2>&1 &
exec 3<&-
"$@" </dev/null
`

/** Stage that ends everything that was started on it. */
export interface OpenStage extends Stage {
  end(): Promise<void>
}

/** Creates the environment of a product. */
export function openStage(
  product: Product,
  installed: string,
  web: ReverseProxy,
  muster: MusterService,
  secret: (password: string) => string,
): OpenStage {
  const ends = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), `muster-lab-${product.name}-`))
  ends.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const data = join(folder, 'data')
  mkdirSync(data)
  const log = join(folder, 'output.log')
  const environment = (more: ProcessOptions['env']) => ({
    PATH: process.env.PATH ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    ...more,
  })
  const output = () => {
    try {
      return readFileSync(log, 'utf8').slice(-2_000)
    } catch {
      return ''
    }
  }
  return {
    installed,
    data,
    muster,
    secret,
    node: process.execPath,
    serve: async (host) => {
      const port = await freePort()
      web.lead(host, port)
      ends.defer(() => web.lead(host, undefined))
      return port
    },
    exec: async (program, args, { env, cwd = data, input } = {}) => {
      const child = spawn(program, args, { cwd, env: environment(env), stdio: ['pipe', 'pipe', 'pipe'] })
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      child.stdin.end(input ?? '')
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${code} ${stderr.slice(-1_000)}`)
      return stdout
    },
    start: async (program, args, { env, cwd = data, port, path = '/' }) => {
      // Started in its own process group, so that its children end with it.
      const child = spawn('/bin/sh', ['-c', supervisor, 'supervisor', program, ...args], {
        cwd,
        env: environment(env),
        detached: true,
        stdio: 'pipe',
      })
      child.stdin.on('error', () => undefined)
      const file = createWriteStream(log, { flags: 'a' })
      child.stdout.pipe(file, { end: false })
      child.stderr.pipe(file, { end: false })
      const ended = once(child, 'close').catch(() => undefined)
      ends.defer(async () => {
        endGroup(child)
        await ended
        file.end()
      })
      const ready = until(
        `answer of ${product.name}`,
        async () => {
          if (child.exitCode !== null) return true
          const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
          return status < 500
        },
        readyWithinMs,
      )
      await ready.catch((error: Error) => {
        throw new Error(`${error.message}\n${output()}`, { cause: error })
      })
      if (child.exitCode !== null) throw new Error(`${product.name} exited:\n${output()}`)
    },
    defer: (end) => ends.defer(async () => end()),
    end: () => ends.disposeAsync(),
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}
