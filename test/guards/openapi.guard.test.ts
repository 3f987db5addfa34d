import { openApiDefaults, openApiDocument } from '@muster/contract/api/openapi'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { readRepositoryFile } from './repository.ts'

interface Parameter {
  name: string
  required: boolean
  example?: unknown
  examples?: Record<string, { value: unknown; 'x-disabled'?: boolean }>
}

interface Endpoint {
  operationId: string
  tags: string[]
  summary: string
  parameters?: (Parameter | { $ref: string })[]
  responses: object
}

interface Document {
  paths: Record<string, Record<string, Endpoint>>
  tags: { name: string; description: string }[]
  components: { schemas: Record<string, { required: string[] }>; parameters: Record<string, Parameter> }
}

const documentOf = (recordsMember = openApiDefaults.recordsMember) =>
  JSON.parse(JSON.stringify(openApiDocument({ ...openApiDefaults, recordsMember }))) as Document

const document = documentOf()

const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, endpoint]) => ({ path, method: method.toUpperCase(), ...endpoint })),
)

/** Endpoints of the original API documentation, section 4, verbatim. */
const documented = `
GET /v1/accounts: List accounts
GET /v1/accounts/{id}: Retrieve an account
DELETE /v1/accounts/{id}: Forget an account
DELETE /v1/accounts/{id}/loginMethods: Delete a login method from an account
GET /v1/accounts/{id}/usedBy: List all employees who are using an account
GET /v1/accountsOther: List accounts (other)
GET /v1/accountsOther/{id}: Retrieve an account (other)
GET /v1/apps: List apps
GET /v1/apps/{id}: Retrieve an app
PATCH /v1/apps/{id}: Update an app
POST /v1/apps/{id}/labels: Add a label to an app
DELETE /v1/apps/{id}/labels: Delete a label from an app
GET /v1/appsOther: List apps (other)
GET /v1/appsOther/{id}: Retrieve an app (other) record
GET /v1/browsers: Retrieve a list of browser objects
GET /v1/browsers/{id}: Retrieve a browser
GET /v1/browserExtensions: Retrieve a list of browser extension objects
GET /v1/detections: Retrieve a list of detection objects
GET /v1/detections/{id}: Retrieve a detection
PATCH /v1/detections/{id}: Update a detection
GET /v1/employees: List employees
POST /v1/employees: Add an employee
GET /v1/employees/{id}: Retrieve an employee
PATCH /v1/employees/{id}: Update an employee
POST /v1/employees/{id}/enrollmentLink: Generate a browser enrollment link
POST /v1/employees/{id}/groups: Add an employee to a group
DELETE /v1/employees/{id}/groups: Delete an employee from a group
POST /v1/employees/{id}/merge: Merge employees
POST /v1/employees/{id}/unmerge: Unmerge an employee
GET /v1/findings: List findings
GET /v1/findings/{id}: Retrieve a finding
GET /v1/controls/blockedUrls: List all blocked URLs
POST /v1/controls/blockedUrls: Add a new blocked URL
DELETE /v1/controls/blockedUrls: Delete all blocked URLs
POST /v1/controls/stolenCredentials: Add stolen credentials sourced from other threat intelligence feeds
DELETE /v1/controls/stolenCredentials: Delete all custom stolen credentials added to the organization
`

describe('the OpenAPI document', () => {
  test('has exactly the 36 endpoints of the API, with their summaries', () => {
    const lines = documented.trim().split('\n')
    expect(lines).toHaveLength(36)
    expect(endpoints.map(({ method, path, summary }) => `${method} ${path}: ${summary}`).sort()).toEqual(
      lines.sort(),
    )
  })

  test('matches the committed copy; otherwise run `npm run openapi` and check the difference', () => {
    expect(JSON.parse(readRepositoryFile('docs/openapi.json').text)).toEqual(document)
  })

  test('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate({ ...documentOf() })).toEqual({ valid: true })
  })

  test('is invalid if an endpoint has no responses', async () => {
    const broken = documentOf() as unknown as { paths: { '/v1/apps': { get: { responses: unknown } } } }
    broken.paths['/v1/apps'].get.responses = 'none'
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  test('refers only to existing components', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
    const missing = [...references]
      .map(([, path = '']) => path)
      .filter(
        (path) =>
          path.split('/').reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document) ===
          undefined,
      )
    expect(missing).toEqual([])
  })

  test('gives every operation its own ID and describes every used tag', () => {
    const described = document.tags.filter(({ description }) => description).map(({ name }) => name)
    expect(new Set(endpoints.map(({ operationId }) => operationId)).size).toBe(36)
    expect([...new Set(endpoints.flatMap(({ tags }) => tags))].sort()).toEqual(described.sort())
  })

  test('marks examples of optional parameters so the reference neither shows nor sends them', () => {
    const parameters = [
      ...endpoints.flatMap((endpoint) => endpoint.parameters ?? []),
      ...Object.values(document.components.parameters),
    ].filter((parameter) => 'name' in parameter)
    const sent = parameters.filter(
      ({ example, examples }) =>
        example !== undefined || Object.values(examples ?? {}).some((each) => each['x-disabled'] !== true),
    )
    expect(new Set(sent.map(({ name, required }) => `${name} ${required}`))).toEqual(new Set(['id true']))
    expect(parameters.filter(({ examples }) => examples).map(({ name }) => name)).toContain('Idempotency-Key')
  })

  test('names the records member of the deployment', () => {
    expect(document.components.schemas.AppPage?.required).toEqual(['the service', 'paging'])
    expect(documentOf('result').components.schemas.AppPage?.required).toEqual(['result', 'paging'])
  })

  test.each([
    ['GET /v1/apps', [200, 400, 401, 429, 500, 503]],
    ['GET /v1/apps/{id}', [200, 400, 401, 404, 429, 500, 503]],
    ['PATCH /v1/employees/{id}', [200, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503]],
    ['POST /v1/employees', [200, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503]],
    ['POST /v1/employees/{id}/unmerge', [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]],
    ['DELETE /v1/apps/{id}/labels', [200, 400, 401, 403, 404, 413, 415, 429, 500, 503]],
    ['DELETE /v1/controls/blockedUrls', [200, 400, 401, 403, 413, 415, 429, 500, 503]],
  ])('%s has all its responses', (name, statuses) => {
    const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === name)
    expect(Object.keys(endpoint?.responses ?? {}).map(Number)).toEqual(statuses)
  })
})
