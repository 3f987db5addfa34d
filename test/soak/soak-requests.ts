import { randomInt } from 'node:crypto'
import type { EnrollmentAnswer } from '@muster/contract/agent/agent-enrollment'
import type { OperationId } from '@muster/contract/api/api'
import type { Operation } from '@muster/contract/api/operation'
import { consoleOperations } from '@muster/contract/console/console-api'
import { consoleLists, exportFormats } from '@muster/contract/console/console-lists'
import type { ConsoleOperation } from '@muster/contract/console/console-operation'
import { systemClock } from '../../server/src/kernel/lib/clock.ts'
import { aPassword, eventMaker } from '../support/agent-events.ts'
import { browserFacts } from '../support/agents.ts'
import { bodyFor, pathWith } from '../support/console-routes.ts'
import { allOperations } from '../support/example-requests.ts'
import { fc } from '../support/fast-check.ts'
import { unknownId } from '../support/fixtures.ts'
import { oddRequest } from '../support/odd-requests.ts'
import type { SoakClient, SoakRequest } from './soak-client.ts'
import type { SoakWorld } from './soak-world.ts'

/** Returns the next request of one kind. */
type Source = () => SoakRequest

const json = { 'content-type': 'application/json' }
const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T
const words = ['a', 'Zoë', 'example', 'équipe', '%', "o'brien", '漢']

/** Returns unusual requests of an operation, drawn in portions. */
function oddOf(id: OperationId, operation: Operation, world: SoakWorld): Source {
  const arbitrary = oddRequest(operation, world.examples[id])
  let drawn: SoakRequest[] = []
  return () => {
    if (drawn.length === 0) drawn = fc.sample(arbitrary, { numRuns: 40, seed: randomInt(2 ** 31) })
    const { headers, ...odd } = drawn.pop() as SoakRequest
    return { ...odd, headers: { ...headers, 'x-api-key': world.apiKey } }
  }
}

function v1Sources(world: SoakWorld) {
  const odd = allOperations.map(([id, operation]) => oddOf(id, operation, world))
  const key = { 'x-api-key': world.apiKey }
  let people = 0
  return {
    odd: () => pick(odd)(),
    list: (): SoakRequest => {
      const [, operation] = pick(allOperations.filter(([id]) => id.startsWith('list')))
      const path = operation.path.replace(':id', unknownId())
      return { method: 'GET', path: `${path}?limit=${pick([1, 100, 1000])}`, headers: key }
    },
    add: (): SoakRequest => {
      people += 1
      const person = { email: `new-${people}@example.com`, firstName: pick(words), groups: [pick(words)] }
      return {
        method: 'POST',
        path: '/v1/employees',
        headers: { ...key, ...json },
        body: JSON.stringify(person),
      }
    },
  }
}

/** Operations that would end the session of the soak or lock it out. */
const endsSession = /sign-out|session|password|administrators|link|passkey|totp|recovery|oidc/

function consoleSources(world: SoakWorld, cookie: string) {
  const lists = Object.entries(consoleLists)
  const routes = Object.values<ConsoleOperation>(consoleOperations).filter(
    ({ method, path }) => method === 'GET' || !endsSession.test(path),
  )
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'x-muster-console': '1' }
  return {
    list: (): SoakRequest => {
      const [name, { sorts }] = pick(lists)
      const search = encodeURIComponent(pick(words))
      const query = pick([
        '',
        `?search=${search}`,
        `?sort=${pick(sorts)}`,
        '?limit=500',
        '?cursor=x',
        '/count',
      ])
      return { method: 'GET', path: `/console/api/lists/${name}${query}`, headers }
    },
    file: (): SoakRequest => {
      const format = pick(exportFormats)
      const path = pick([
        `lists/${pick(lists)[0]}/export?format=${format}`,
        'audit/export?format=jsonl&actor=x',
      ])
      return { method: 'GET', path: `/console/api/${path}`, headers }
    },
    call: (): SoakRequest => {
      const { method, path } = pick(routes)
      const right = bodyFor({ method, path }, unknownId())
      const body = JSON.stringify(pick([right, right, {}, [], 'x', null, { a: 'y'.repeat(100_000) }]))
      const sent = { method, path: pathWith({ method, path }, pick([unknownId(), '%00', 'x'])) }
      return right === undefined ? { ...sent, headers } : { ...sent, headers: { ...headers, ...json }, body }
    },
    signIn: (): SoakRequest => {
      const body = JSON.stringify({
        email: `${randomInt(50)}@example.com`,
        password: 'correct horse battery',
      })
      const { cookie: _cookie, ...others } = headers
      return { method: 'POST', path: '/console/api/sign-in', headers: { ...others, ...json }, body }
    },
    world,
  }
}

/** Returns the ID of a password. Browsers create them, so no two people share one. */
const passwordOf = (person: number, index: number): string =>
  `6f1d9c1e-0b6f-4c39-9b55-${String(person).padStart(8, '0')}${String(index).padStart(4, '0')}`

function agentSources(credentials: readonly string[]) {
  const make = eventMaker(systemClock)
  const headers = () => ({ authorization: `Bearer ${pick(credentials)}`, ...json })
  return {
    events: (): SoakRequest => {
      const login = () => {
        const person = randomInt(3000)
        return make.login({
          loginUrl: `https://site-${randomInt(300)}.example.com/login`,
          email: `p${person}@example.com`,
          password: aPassword({ passwordId: passwordOf(person, randomInt(3)) }),
        })
      }
      const kinds = [make.heartbeat, make.visit, make.blockedUrl, make.pageThreat, make.banner, login, login]
      const events = Array.from({ length: 1 + randomInt(30) }, () => pick(kinds)())
      return {
        method: 'POST',
        path: '/agent/v1/events',
        headers: headers(),
        body: JSON.stringify({ events }),
      }
    },
    odd: (): SoakRequest => {
      const body = pick([
        '{',
        '[]',
        '{"events":[{}]}',
        `{"events":[${'{},'.repeat(3000)}{}]}`,
        '['.repeat(100_000),
      ])
      const path = pick(['/agent/v1/events', '/agent/v1/enrol', '/agent/v1/none'])
      return { method: 'POST', path, headers: headers(), body }
    },
    read: (): SoakRequest => ({
      method: 'GET',
      path: pick([
        '/agent/v1/policy',
        '/agent/v1/range/ABCDE',
        '/healthz',
        '/docs',
        '/openapi.json',
        '/agent/',
      ]),
      headers: headers(),
    }),
  }
}

/**
 * Signs in and enrolls browsers. @returns a source of mixed requests, by weight
 */
export async function soakRequests(world: SoakWorld, { send }: SoakClient): Promise<Source> {
  const signIn = {
    token: world.setupToken,
    email: 'owner@example.com',
    password: 'correct horse battery staple',
    name: 'Ada',
  }
  const headers = { 'sec-fetch-site': 'same-origin', 'x-muster-console': '1', ...json }
  const accepted = await send({
    method: 'POST',
    path: '/console/api/links/accept',
    headers,
    body: JSON.stringify(signIn),
  })
  if (accepted.status !== 200) throw new Error(`sign-in failed: ${accepted.text}`)
  const cookie = (accepted.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
  const credentials: string[] = []
  for (let at = 0; at < 20; at += 1) {
    const body = {
      token: world.enrollmentToken,
      identity: `agent-${at}@example.com`,
      browser: browserFacts(),
    }
    const answer = await send({
      method: 'POST',
      path: '/agent/v1/enrol',
      headers: json,
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`enrollment failed: ${answer.text}`)
    credentials.push((JSON.parse(answer.text) as EnrollmentAnswer).credential)
  }
  const v1 = v1Sources(world)
  const page = consoleSources(world, cookie)
  const agent = agentSources(credentials)
  const weighted: [number, Source][] = [
    ...([
      [40, v1.odd],
      [14, v1.list],
      [6, v1.add],
    ] as [number, Source][]),
    ...([
      [8, page.list],
      [1, page.file],
      [8, page.call],
      [1, page.signIn],
    ] as [number, Source][]),
    ...([
      [14, agent.events],
      [4, agent.odd],
      [4, agent.read],
    ] as [number, Source][]),
  ]
  const sources = weighted.flatMap(([weight, source]) => Array.from({ length: weight }, () => source))
  return () => pick(sources)()
}
