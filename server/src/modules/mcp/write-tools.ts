import { operations } from '@muster/contract/api/api'
import { invalidRequest } from '@muster/contract/api/errors'
import type { JsonSchema } from '@muster/contract/api/json-schema'
import type { ActionOperation } from '@muster/contract/api/operation'
import { bodyReader } from '../../kernel/http/body.ts'
import type { Tool } from './tool.ts'

/**
 * Changes that assistants can make. Left out are those that delete much at once, cannot be undone, or show or take secrets: these
 * belong to people.
 */
const changes = [
  {
    name: 'block_url',
    operation: 'addBlockedUrl',
    change: 'adds',
    title: 'Block a URL',
    description: 'Block a pattern of addresses in all browsers.',
  },
  {
    name: 'update_detection',
    operation: 'updateDetection',
    change: 'replaces',
    title: 'Update a detection',
    description: 'Classify, archive or comment a detection. Members that are left out keep their value.',
  },
  {
    name: 'update_app',
    operation: 'updateApp',
    change: 'replaces',
    title: 'Update an app',
    description:
      'Change the approval, sensitivity or owner of an app. Members that are left out keep their value.',
  },
  {
    name: 'add_app_label',
    operation: 'addAppLabel',
    change: 'adds',
    title: 'Add a label to an app',
    description: 'Add a label to an app.',
  },
  {
    name: 'delete_app_label',
    operation: 'deleteAppLabel',
    change: 'replaces',
    title: 'Delete a label of an app',
    description: 'Delete a label of an app.',
  },
  {
    name: 'add_employee',
    operation: 'addEmployee',
    change: 'adds',
    title: 'Add an employee',
    description: 'Add an employee.',
  },
  {
    name: 'update_employee',
    operation: 'updateEmployee',
    change: 'replaces',
    title: 'Update an employee',
    description:
      'Change the name, department, location or license of an employee. Members that are left out keep their value.',
  },
  {
    name: 'add_employee_to_group',
    operation: 'addEmployeeToGroup',
    change: 'adds',
    title: 'Add an employee to a group',
    description: 'Add an employee to a group.',
  },
  {
    name: 'delete_employee_from_group',
    operation: 'deleteEmployeeFromGroup',
    change: 'replaces',
    title: 'Delete an employee from a group',
    description: 'Delete an employee from a group.',
  },
] as const

const idSchema: JsonSchema = { type: 'string', minLength: 1, maxLength: 64, description: 'ID of the record.' }

/** Tools that change data: operations of `/v1`, with their bodies as arguments. */
export const writeTools: readonly Tool[] = changes.map(({ operation: operationId, ...words }) => {
  const operation: ActionOperation = operations[operationId]
  const body = (operation.body ?? { properties: {} }) as JsonSchema
  const hasId = operation.path.includes('/:id')
  const readBody = operation.body && bodyReader(operation.body)
  return {
    ...words,
    inputSchema: {
      type: 'object',
      properties: { ...(hasId ? { id: idSchema } : {}), ...body.properties },
      required: [...(hasId ? ['id'] : []), ...(body.required ?? [])],
      additionalProperties: false,
    } as Tool['inputSchema'],
    run: async ({ services }, { principal, origin }, given) => {
      const { id, ...values } = given
      if (hasId && (typeof id !== 'string' || id === ''))
        throw invalidRequest([{ in: 'body', name: 'id', message: 'is required: the ID of the record' }])
      const answer = await services.runAction(operationId, {
        principal,
        id: hasId ? String(id) : '',
        body: readBody?.(Buffer.from(JSON.stringify(hasId ? values : given))),
        path: operation.path.replace(':id', encodeURIComponent(String(id))),
        idempotencyKey: undefined,
        origin: { address: origin.address, userAgent: origin.userAgent ?? undefined },
      })
      return JSON.parse(String(answer.body)) as unknown
    },
  }
})
