import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordsMemberDefault } from '@muster/contract/api/api'
import { createKey, runMuster, type Settings, startMuster } from '../../test/support/muster-process.ts'
import { until } from '../../test/support/until.ts'

/** Host name of Muster for browsers. */
export const musterHost = 'muster.acme-works.example'

/** API record as JSON. */
export type ApiRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/** Real Muster server with a fresh store and an API key. */
export interface MusterService {
  /** Local address for plain HTTP. */
  readonly address: string
  /** Calls `/v1`. @throws unless the status is 200 */
  call(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>>
  /** Returns the records of a list's first page. */
  list(path: string): Promise<ApiRecord[]>
  /** Waits until a list contains a matching record, and returns it. */
  waitFor(
    path: string,
    fits: (record: ApiRecord) => boolean,
    what: string,
    withinMs?: number,
  ): Promise<ApiRecord>
  /** Runs a CLI command and returns its JSON output. @throws if it fails */
  command(words: string, ...more: string[]): Promise<Record<string, unknown>>
  /** Writes a file into the service's folder and returns its path. */
  file(name: string, text: string): string
  /** Folder of its data and files. */
  readonly folder: string
  /** Returns everything that the server logged. */
  log(): string
  stop(): Promise<void>
}

export async function startService(more: Settings = {}): Promise<MusterService> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-e2e-'))
  const settings = {
    MUSTER_DATA: join(folder, 'data'),
    MUSTER_PUBLIC_URL: `https://${musterHost}`,
    MUSTER_TRUST_PROXY: '127.0.0.1',
    MUSTER_RATE_LIMIT_SUSTAINED: '10000',
    ...more,
  }
  const server = await startMuster(settings).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  const { key } = await createKey(settings, 'admin@acme-works.example')
  const call: MusterService['call'] = async (method, path, body) => {
    const answer = await fetch(new URL(path, server.address), {
      method,
      headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const list = async (path: string) => (await call('GET', path))[recordsMemberDefault] as ApiRecord[]
  return {
    address: server.address,
    folder,
    log: () => server.stdout() + server.stderr(),
    call,
    list,
    waitFor: async (path, fits, what, withinMs) => {
      let last: ApiRecord[] = []
      try {
        return await until(
          what,
          async () => {
            last = await list(path)
            return last.find(fits)
          },
          withinMs,
        )
      } catch (error) {
        throw new Error(`no ${what} in ${path}, which has ${JSON.stringify(last)}`, { cause: error })
      }
    },
    command: async (words, ...args) => {
      const { code, stdout, stderr } = await runMuster([...words.split(' '), ...args, '--json'], settings)
      if (code !== 0) throw new Error(`muster ${words}: ${stderr}`)
      return stdout.trim() === '' ? {} : JSON.parse(stdout)
    },
    file: (name, text) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
