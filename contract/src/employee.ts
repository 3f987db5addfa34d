import { type Static, Type } from 'typebox'
import { collection, contains, exact, has, window } from './collection.ts'
import {
  closed,
  flag,
  id,
  line,
  listOf,
  lookup,
  nullable,
  strictEmail,
  timestamp,
  typedName,
  url,
} from './fields.ts'
import { operation } from './operation.ts'

const person = {
  firstName: nullable(line('First name; null if unknown.', 'Ada', 256)),
  lastName: nullable(line('Last name; null if unknown.', 'Byron', 256)),
  department: nullable(line('Department; null if unknown.', 'Engineering', 256)),
  location: nullable(line('Location; null if unknown.', 'London', 256)),
}

const licensed = flag('Whether the employee is licensed: only then do their browsers report.')
const chatopsEnabled = flag(
  'Deprecated, kept for existing clients: whether the employee is reached by chat.',
  false,
)

/** How many groups an employee can be in. */
export const groupsMaximum = 1000
const groupLengthMaximum = 128

const groups = listOf(
  typedName('Name of a group.', 'Engineers', groupLengthMaximum),
  'The groups that the employee is in.',
  ['Engineers'],
  groupsMaximum,
)

/** How many employees can be one: the primary and those merged into it (REST contract, Employee). */
export const mergedEmployeesMaximum = 5

export const Employee = closed(
  {
    id: id('Unique identifier of the employee.'),
    email: line(
      'The primary e-mail address; unique, without case, in the organization.',
      'ada.byron@example.com',
      254,
      1,
    ),
    ...person,
    licensed,
    chatopsEnabled,
    groups,
    secondaryEmails: listOf(
      line('A further e-mail address.', 'ada@example.org', 254, 1),
      'The addresses of the employees that were merged into this one.',
      ['ada@example.org'],
      100,
    ),
    mergedIntoId: nullable(
      id('The primary employee that this one was merged into; null if it stands alone.'),
    ),
    creationTimestamp: timestamp('When the record was created; UNIX seconds.'),
  },
  { $id: 'Employee', description: 'A person who works for the organization.' },
)
export type Employee = Static<typeof Employee>

export const employees = collection({
  name: 'employees',
  record: Employee,
  filters: {
    email: contains('email'),
    department: exact('department'),
    location: exact('location'),
    licensed: exact('licensed'),
    group: has('groups'),
    mergedIntoId: exact('mergedIntoId'),
    ...window('creationTimestamp'),
  },
})

export const EmployeeCreation = closed(
  {
    email: strictEmail('The primary e-mail address; not in use by another employee.'),
    firstName: Type.Optional(person.firstName),
    lastName: Type.Optional(person.lastName),
    department: Type.Optional(person.department),
    location: Type.Optional(person.location),
    licensed: Type.Optional(licensed),
    groups: Type.Optional(
      listOf(
        typedName('Name of a group.', 'Engineers', groupLengthMaximum),
        'The groups to be in.',
        ['Engineers'],
        groupsMaximum,
      ),
    ),
  },
  { $id: 'EmployeeCreation', description: 'The new employee. `licensed` is false unless given.' },
)
export type EmployeeCreation = Static<typeof EmployeeCreation>

export const EmployeeUpdate = closed(
  {
    email: Type.Optional(strictEmail('The new primary e-mail address; not in use by another employee.')),
    firstName: Type.Optional(person.firstName),
    lastName: Type.Optional(person.lastName),
    department: Type.Optional(person.department),
    location: Type.Optional(person.location),
    licensed: Type.Optional(licensed),
    chatopsEnabled: Type.Optional(chatopsEnabled),
  },
  {
    $id: 'EmployeeUpdate',
    description: 'What to change; at least one member. Null unsets a name, department or location.',
    minProperties: 1,
  },
)
export type EmployeeUpdate = Static<typeof EmployeeUpdate>

export const GroupBody = closed(
  { group: typedName('Name of the group.', 'Engineers', groupLengthMaximum) },
  { $id: 'GroupBody', description: 'A group.' },
)
export type GroupBody = Static<typeof GroupBody>

const GroupRemoval = closed(
  { group: lookup('Name of the group.', 'Engineers', groupLengthMaximum, 1) },
  { $id: 'GroupRemoval', description: 'A group to be taken out of.' },
)

export const MergeBody = closed(
  {
    employeeIds: listOf(
      id('An employee who becomes secondary.'),
      'The employees to merge into the one of the path; each named once.',
      ['01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90'],
      mergedEmployeesMaximum - 1,
      { minItems: 1, uniqueItems: true },
    ),
  },
  { $id: 'MergeBody', description: 'The employees to merge.' },
)
export type MergeBody = Static<typeof MergeBody>

export const EnrollmentLink = closed(
  {
    enrollmentLink: url(
      'The link to open in the browser that is to be enrolled.',
      'https://muster.example.com/enroll/x7Kd2',
    ),
    expirationTimestamp: timestamp('When the link stops working; UNIX seconds.'),
  },
  { $id: 'EnrollmentLink', description: 'A link that enrolls one browser of an employee, once.' },
)
export type EnrollmentLink = Static<typeof EnrollmentLink>

export const employeeOperations = {
  listEmployees: operation({
    kind: 'list',
    collection: employees,
    path: '/v1/employees',
    summary: 'List employees',
    description: 'Merged employees are left out unless `mergedIntoId` asks for them.',
  }),
  addEmployee: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/employees',
    summary: 'Add an employee',
    description: 'Returns the employee. 409 if the address is in use, also as a secondary one.',
    tag: 'employees',
    body: EmployeeCreation,
    response: Employee,
    errors: ['conflict'],
  }),
  getEmployee: operation({
    kind: 'get',
    collection: employees,
    path: '/v1/employees/:id',
    summary: 'Retrieve an employee',
    description: 'Answers for merged employees too.',
  }),
  updateEmployee: operation({
    kind: 'action',
    method: 'PATCH',
    path: '/v1/employees/:id',
    summary: 'Update an employee',
    description: 'Changes the members that are given and returns the employee. 409 if the address is in use.',
    tag: 'employees',
    body: EmployeeUpdate,
    response: Employee,
    errors: ['not_found', 'conflict'],
  }),
  createEnrollmentLink: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/employees/:id/enrollmentLink',
    summary: 'Generate a browser enrollment link',
    description:
      'Licenses the employee. The link works once; an older unused link of the employee stops working.',
    tag: 'employees',
    response: EnrollmentLink,
    errors: ['not_found'],
  }),
  addEmployeeToGroup: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/employees/:id/groups',
    summary: 'Add an employee to a group',
    description:
      'Returns the employee. The group is made on first use; an employee who is in it already stays in it.',
    tag: 'employees',
    body: GroupBody,
    response: Employee,
    errors: ['not_found'],
  }),
  deleteEmployeeFromGroup: operation({
    kind: 'action',
    method: 'DELETE',
    path: '/v1/employees/:id/groups',
    summary: 'Delete an employee from a group',
    description: 'Returns the employee. 404 if the employee is not in the group.',
    tag: 'employees',
    body: GroupRemoval,
    valueInQuery: 'group',
    response: Employee,
    errors: ['not_found'],
  }),
  mergeEmployees: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/employees/:id/merge',
    summary: 'Merge employees',
    description:
      'The employees named become secondary to the one of the path, which is returned: their addresses are its `secondaryEmails`, and what was observed of them is shown under it. All of them or none.',
    tag: 'employees',
    body: MergeBody,
    response: Employee,
    errors: ['not_found'],
  }),
  unmergeEmployee: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/employees/:id/unmerge',
    summary: 'Unmerge an employee',
    description:
      'The merged employee of the path stands alone again, with all that it was observed with, unlicensed.',
    tag: 'employees',
    response: Employee,
    errors: ['not_found'],
  }),
}
