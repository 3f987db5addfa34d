import { recordsMemberDefault } from '@muster/contract/api'
import { type ErrorCode, errorCatalog, type Mistake } from '@muster/contract/errors'
import { expect } from 'vitest'
import type { HarnessResponse, JsonValue } from './harness.ts'

/**
 * Expects a problem of RFC 9457 with all the members of the contract and no other; of a 400 also the mistakes, all
 * of them and in this order (REST contract, Errors).
 */
export function expectProblem(response: HarnessResponse, code: ErrorCode, mistakes: Mistake[] = []): void {
  const { status, title } = errorCatalog[code]
  expect(response.body).toEqual({
    type: `https://muster.test/docs/errors/${code}`,
    title,
    status,
    detail: response.body.message,
    code,
    requestId: response.headers['x-request-id'],
    message: expect.stringMatching(/./),
    ...(status === 400 ? { errors: mistakes } : {}),
  })
  expect(response.status).toBe(status)
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
}

/** Expects a success: 200, JSON, and just this object. */
export function expectAnswer(response: HarnessResponse, body: unknown): void {
  expect(response.body).toEqual(body)
  expect(response.status).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
}

/** The body of a problem without what tells one request from another. */
export const withoutRequestId = ({ text, headers }: HarnessResponse): string =>
  text.replace(JSON.stringify(headers['x-request-id']), '"…"')

/** The records of a page. */
export const recordsOf = (response: HarnessResponse): JsonValue[] => response.body[recordsMemberDefault]

/** The envelope of a list with these records, and where to go on. */
export const page = (records: readonly unknown[], nextToken: unknown = null, next: string | null = null) => ({
  [recordsMemberDefault]: records,
  paging: { moreResults: nextToken !== null || next !== null, nextToken, next },
})

export const inQuery = (name: string, message: string): Mistake => ({ in: 'query', name, message })
export const inBody = (name: string, message: string): Mistake => ({ in: 'body', name, message })
