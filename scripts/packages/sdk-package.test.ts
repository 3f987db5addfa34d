import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../../test/support/harness.ts'
import { packForNpm } from './npm-package.ts'
import { writeSdkFiles } from './sdk-package.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'muster-sdk-'))
const installed = join(folder, 'node_modules', '@muster', 'sdk')
const run = async (file: string, args: readonly string[]) =>
  (await promisify(execFile)(file, args, { cwd: folder })).stdout

describe('the package of the SDK', () => {
  const h = useHarness('sqlite')

  beforeAll(async () => {
    writeSdkFiles(join(folder, 'files'))
    const archive = packForNpm(join(folder, 'files'), folder)
    rmSync(join(folder, 'files'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', archive])
    await h.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('installs into an empty folder without a network, and needs nothing else', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@muster',
    ])
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: '@muster/sdk', type: 'module' })
    expect([manifest.private, manifest.dependencies]).toEqual([undefined, undefined])
    for (const file of readdirSync(join(installed, 'dist')))
      for (const [, target] of readFileSync(join(installed, 'dist', file), 'utf8').matchAll(
        /\bfrom ['"]([^'"]+)['"]/g,
      ))
        expect([file, target]).toEqual([file, expect.stringMatching(/^\.\/[\w-]+\.js$/)])
  })

  test('its client calls a server, and its verifier reads a signed event', async () => {
    const { key } = await h.addCaller()
    const { port } = h.app.server.address() as AddressInfo
    writeFileSync(
      join(folder, 'use.js'),
      `import { createClient } from '@muster/sdk'
import { MusterApiError } from '@muster/sdk/muster-error'
import { signWebhook } from '@muster/sdk/webhook-sign'
import { verifyWebhook } from '@muster/sdk/webhook-verify'
const [port, apiKey] = process.argv.slice(2)
const muster = createClient({ baseUrl: 'http://127.0.0.1:' + port, apiKey })
const { id } = await muster.addEmployee({ email: 'ada@example.com' })
await muster.addEmployeeToGroup(id, { group: 'Engineers' })
await muster.deleteEmployeeFromGroup(id, { group: 'Engineers' })
const emails = []
for await (const { email } of muster.iterate('listEmployees', { email: 'ada' })) emails.push(email)
const code = await muster.getApp('unknown').catch((error) => error instanceof MusterApiError && error.code)
const timestampSeconds = Math.floor(Date.now() / 1000)
const body = JSON.stringify({ version: '1', object: 'LOGIN' })
const header = await signWebhook({ body, secrets: ['secret'], timestampSeconds })
const { valid } = await verifyWebhook({ body, header, secrets: ['secret'] })
console.log(JSON.stringify({ emails, code, valid }))
`,
    )
    const output = await run(process.execPath, ['use.js', String(port), key])
    expect(JSON.parse(output)).toEqual({ emails: ['ada@example.com'], code: 'not_found', valid: true })
  })

  test('its types are those of the declarations', async () => {
    writeFileSync(
      join(folder, 'check.ts'),
      `import type { Client } from '@muster/sdk/client-types'
import type { EventFor, EventObject } from '@muster/sdk/event-objects'
import type { Client as DeclaredClient } from '${root}/sdk/src/client-types.ts'
import type { EventFor as DeclaredEvent, EventObject as DeclaredObject } from '@muster/contract/events/event-objects'
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Method = Exclude<keyof DeclaredClient, 'iterate'>
type Arguments = { [M in Method]: Same<Parameters<Client[M]>, Parameters<DeclaredClient[M]>> }
type Results = { [M in Method]: Same<ReturnType<Client[M]>, ReturnType<DeclaredClient[M]>> }
type Events = { [O in EventObject]: Same<EventFor<O>, DeclaredEvent<O>> }
type Holds<T extends true> = T
export type Checks = [
  Holds<Same<keyof Client, keyof DeclaredClient>>,
  Holds<Same<EventObject, DeclaredObject>>,
  Holds<Arguments[Method]>,
  Holds<Results[Method]>,
  Holds<Events[EventObject]>,
]
export async function walk(client: Client) {
  for await (const extension of client.iterate('listBrowserExtensions', { permissions: ['tabs'] })) extension.name
  for await (const { employeeId } of client.iterate('listAccountUsers', 'id', { limit: 10 })) employeeId
  // @ts-expect-error: a walk takes no offset
  client.iterate('listApps', { offset: 1 })
}
`,
    )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: `${root}/tsconfig.json`,
        compilerOptions: {
          // Otherwise optional arguments of a method differ from optional items of a list of arguments.
          exactOptionalPropertyTypes: false,
          lib: ['esnext', 'dom'],
          typeRoots: [`${root}/node_modules/@types`],
          paths: {
            '@muster/contract/*': [`${root}/contract/src/*.ts`],
            typebox: [`${root}/node_modules/typebox`],
          },
        },
        include: ['check.ts'],
      }),
    )
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(await run(process.execPath, [tsc, '-p', folder]).catch(({ stdout }) => stdout)).toBe('')
  })

  test.each([
    { module: 'node16', moduleResolution: 'node16' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('its types can be used with %j and without those of the DOM', async (settings) => {
    writeFileSync(
      join(folder, 'receive.ts'),
      `import { type Client, createClient } from '@muster/sdk'
import type { Employee } from '@muster/sdk/client-types'
import { verifyWebhook } from '@muster/sdk/webhook-verify'
export const muster: Client = createClient({ baseUrl: 'https://muster.example.com', apiKey: 'key' })
export const add = (email: string): Promise<Employee> => muster.addEmployee({ email })
export async function receive(body: string, header: string) {
  const verdict = await verifyWebhook({ body, header, secrets: ['secret'] })
  return verdict.valid && verdict.event.object === 'LOGIN' ? verdict.event.new.loginUrl : undefined
}
`,
    )
    writeFileSync(
      join(folder, 'receive.json'),
      JSON.stringify({
        compilerOptions: {
          ...settings,
          target: 'es2022',
          lib: ['es2022'],
          types: ['node'],
          typeRoots: [`${root}/node_modules/@types`],
          strict: true,
          noEmit: true,
        },
        include: ['receive.ts'],
      }),
    )
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const compiled = run(process.execPath, [tsc, '-p', join(folder, 'receive.json')])
    expect(await compiled.catch(({ stdout }) => stdout)).toBe('')
    // Types of older versions of Node have no global name for it.
    const files = readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.d.ts'))
    for (const file of files)
      expect([file, readFileSync(join(installed, 'dist', file), 'utf8')]).toEqual([
        file,
        expect.not.stringContaining('CryptoKey'),
      ])
  })
})
