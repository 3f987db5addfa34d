import { beforeAll } from 'vitest'
import { unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { hashToken } from '../../server/src/kernel/lib/secrets/agent-token.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { insertScimToken, newScimToken } from '../../server/src/modules/scim/scim-tokens.service.ts'
import type { Caller, Harness, HarnessResponse, JsonValue } from './harness.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A directory with its token, and an API key of the same organization. */
export interface Directory {
  caller: Caller
  token: string
  /** Sends a request to a path below `/scim/v2`. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<HarnessResponse<JsonValue>>
  /** Sends a PATCH with operations. */
  patch(path: string, ...operations: object[]): Promise<HarnessResponse<JsonValue>>
  /** Lists the resources that match a filter. */
  filter(path: string, filter: string): Promise<HarnessResponse<JsonValue>>
  /** Adds a user and returns it. */
  addUser(values?: object): Promise<JsonValue>
  /** Adds a group and returns it. */
  addGroup(displayName: string, ...memberIds: string[]): Promise<JsonValue>
  /** Reads the employee with an email address by `/v1`. */
  employee(email: string): Promise<JsonValue>
}

let lastNumber = 0

/** Returns a name that no other user has. */
export const freshName = (): string => `user${++lastNumber}@example.com`

/** Connects a directory to an organization. */
export async function connectDirectory(
  h: Harness,
  options: { caller?: Caller; assignsLicenses?: boolean } = {},
): Promise<Directory> {
  const caller = options.caller ?? (await h.addCaller())
  const token = newScimToken()
  const row = {
    org: caller.org,
    id: newId(h.clock.nowMs()),
    name: 'Okta',
    createdBy: 'owner@example.com',
    assignsLicenses: options.assignsLicenses ?? true,
    creationTimestamp: unixSeconds(h.clock),
  }
  await h.db.inTransaction((tx) => insertScimToken(tx, row, hashToken(token)))
  const send: Directory['send'] = (method, path, body, headers = {}) =>
    h.call(null, method, `/scim/v2${path}`, {
      body,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
    })
  return {
    caller,
    token,
    send,
    patch: (path, ...operations) => send('PATCH', path, { schemas: [patchUrn], Operations: operations }),
    filter: (path, filter) => send('GET', `${path}?filter=${encodeURIComponent(filter)}`),
    addUser: async (values = {}) =>
      (await send('POST', '/Users', { schemas: [userUrn], userName: freshName(), ...values })).body,
    addGroup: async (displayName, ...memberIds) =>
      (
        await send('POST', '/Groups', {
          schemas: [groupUrn],
          displayName,
          members: memberIds.map((value) => ({ value })),
        })
      ).body,
    employee: async (email) => {
      const { body } = await h.call(caller, 'GET', `/v1/employees?email=${encodeURIComponent(email)}`)
      return body['the service'].find((one: { email: string }) => one.email === email)
    },
  }
}

/** Connects a directory before the first test. */
export function useDirectory(h: Harness): Directory {
  const directory = {} as Directory
  beforeAll(async () => {
    Object.assign(directory, await connectDirectory(h))
  })
  return directory
}
