import { recordsMemberDefault } from '@muster/contract/api/api'
import { type ErrorCode, errorCatalog, type Mistake } from '@muster/contract/api/errors'
import { expect } from 'vitest'
import type { HarnessResponse, JsonValue } from './harness.ts'

/**
 * Expects a problem (RFC 9457) with exactly the members of the contract; for status 400 also exactly these mistakes, in
 * this order (REST contract, Errors).
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

/** Expects status 200 with exactly this JSON body. */
export function expectAnswer(response: HarnessResponse, body: unknown): void {
  expect(response.body).toEqual(body)
  expect(response.status).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
}

/** Returns the body of a problem without its request ID. */
export const withoutRequestId = ({ text, headers }: HarnessResponse): string =>
  text.replace(JSON.stringify(headers['x-request-id']), '"…"')

/** Returns the records of a page. */
export const recordsOf = (response: HarnessResponse): JsonValue[] => response.body[recordsMemberDefault]

/** Returns the envelope of a list with these records and positions of the next page. */
export const page = (records: readonly unknown[], nextToken: unknown = null, next: string | null = null) => ({
  [recordsMemberDefault]: records,
  paging: { moreResults: nextToken !== null || next !== null, nextToken, next },
})

export const inQuery = (name: string, message: string): Mistake => ({ in: 'query', name, message })
export const inBody = (name: string, message: string): Mistake => ({ in: 'body', name, message })
