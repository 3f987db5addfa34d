import { type Static, Type } from 'typebox'
import {
  closed,
  count,
  email,
  exact,
  flag,
  id,
  line,
  lines,
  listOf,
  nullable,
  text,
  timestamp,
} from '../../api/fields.ts'
import { consoleOperation } from '../console-operation.ts'
import { defaultRequestTemplate, templateSubjectMaximum, templateTextMaximum } from './request-template.ts'
import { workBatchMaximum } from './work-fields.ts'

/** Days that pass between two requests to an employee. */
export const askEveryDays = 7
/** Maximum number of findings in one request. */
export const askedFindingsMaximum = 50

const Request = closed(
  {
    address: email('Recipient: the address of the employee.'),
    subject: text('Subject of the e-mail.', 'Northgate asks you to secure your accounts', 512),
    text: lines('Text of the e-mail.', 'Hello Ada, …', 100_000),
    findings: count('Number of findings that it is about: those that are to do.', 3),
    nextTimestamp: nullable(
      timestamp('Time from which the employee can be asked again; null: now. At most one e-mail a week.'),
    ),
  },
  { $id: 'EmployeeRequest', description: 'An e-mail that asks an employee to resolve findings.' },
)
export type EmployeeRequest = Static<typeof Request>

const templateMembers = {
  subject: line('Subject, with placeholders.', defaultRequestTemplate.subject, templateSubjectMaximum, 1),
  text: lines('Text, with placeholders.', defaultRequestTemplate.text, templateTextMaximum, 1),
}
const TemplateBody = closed(templateMembers, { description: 'The template.' })
const Template = closed(
  {
    ...templateMembers,
    isDefault: flag('True if the organization has not changed it.'),
  },
  { $id: 'RequestTemplate', description: 'Template of the e-mail that asks employees.' },
)

/** Operations that ask employees by e-mail to resolve their findings. */
export const askOperations = {
  previewRequest: consoleOperation({
    method: 'GET',
    path: '/console/api/employees/:id/request',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Preview the e-mail that asks an employee to resolve findings.',
    response: Request,
  }),
  askEmployee: consoleOperation({
    method: 'POST',
    path: '/console/api/employees/:id/request',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Ask an employee by e-mail to resolve all findings that are to do. At most once a week.',
    response: Request,
  }),
  readRequestTemplate: consoleOperation({
    method: 'GET',
    path: '/console/api/work/request-template',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the template of the e-mail that asks employees.',
    response: Template,
  }),
  changeRequestTemplate: consoleOperation({
    method: 'PUT',
    path: '/console/api/work/request-template',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Change the template of the e-mail that asks employees.',
    body: TemplateBody,
    response: Template,
  }),
  resetRequestTemplate: consoleOperation({
    method: 'DELETE',
    path: '/console/api/work/request-template',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Reset the template of the e-mail that asks employees to the default.',
    response: Template,
  }),
  previewRequestTemplate: consoleOperation({
    method: 'POST',
    path: '/console/api/employees/:id/request/preview',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Preview the e-mail to an employee with a template that is not saved.',
    body: TemplateBody,
    response: Request,
  }),
  askEmployees: consoleOperation({
    method: 'POST',
    path: '/console/api/work/requests',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary:
      'Ask the employees of findings by e-mail: of those with the given IDs, or of the next ones that match filters. Each gets one e-mail about everything that is to do; who was asked within a week is left out.',
    body: closed(
      {
        ids: Type.Optional(
          listOf(id('A finding.'), 'The findings; or `query`.', [], workBatchMaximum, { minItems: 1 }),
        ),
        query: Type.Optional(
          exact('Filters and search as in the URL of the list of findings.', 'type=WEAK_PASSWORD', 4096),
        ),
        cursor: Type.Optional(exact('Cursor of the previous answer; with `query` only.', 'WzEwMF0', 1024, 1)),
      },
      { description: 'The findings.' },
    ),
    response: closed(
      {
        found: count('Number of findings that were looked at.', 250),
        changed: count('Number of employees who were asked.', 40),
        cursor: nullable(exact('Cursor of the next request; null at the end.', 'WzEwMF0', 1024)),
      },
      { description: 'The outcome.' },
    ),
  }),
} as const
