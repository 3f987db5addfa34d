// `npm run openapi`: writes docs/openapi.json, the committed OpenAPI document. A test fails if it differs from the contract.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDefaults, openApiDocument } from '@muster/contract/api/openapi'

const path = join(import.meta.dirname, '..', 'docs', 'openapi.json')
writeFileSync(path, `${JSON.stringify(openApiDocument(openApiDefaults), null, 2)}\n`)
