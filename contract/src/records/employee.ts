import { type Static, Type } from 'typebox'
import { collection, contains, exact, has, window } from '../api/collection.ts'
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
} from '../api/fields.ts'
import { operation } from '../api/operation.ts'

const person = {
  firstName: nullable(line('First name; null if unknown.', 'Ada', 256)),
  lastName: nullable(line('Last name; null if unknown.', 'Byron', 256)),
  department: nullable(line('Department; null if unknown.', 'Engineering', 256)),
  location: nullable(line('Location; null if unknown.', 'London', 256)),
}

const licensed = flag('True if the employee is licensed. Only browsers of licensed employees report.')
const chatopsEnabled = flag(
  'Deprecated, kept for existing clients: true if the employee is reached by chat.',
  false,
)

/** Maximum number of groups of an employee. */
export const groupsMaximum = 1000
const groupLengthMaximum = 128

const groups = listOf(
  typedName('Name of a group.', 'Engineers', groupLengthMaximum),
  'Groups of the employee.',
  ['Engineers'],
  groupsMaximum,
)

/** Maximum number of merged records, including the primary one (REST contract, Employee). */
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
      id('ID of the primary employee into which this one was merged; null if it was not merged.'),
    ),
    creationTimestamp: timestamp('Time when the record was created; UNIX seconds.'),
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
        'Groups of the employee.',
        ['Engineers'],
        groupsMaximum,
      ),
    ),
  },
  { $id: 'EmployeeCreation', description: 'The new employee. `licensed` is false by default.' },
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
    description: 'Members to change; at least one. Null clears a name, department or location.',
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
  { $id: 'GroupRemoval', description: 'A group to remove the employee from.' },
)

export const MergeBody = closed(
  {
    employeeIds: listOf(
      id('An employee who becomes secondary.'),
      'IDs of the employees to merge into the one in the path, without duplicates.',
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
    enrollmentLink: url('Link to open in the browser to enroll.', 'https://muster.example.com/enroll/x7Kd2'),
    expirationTimestamp: timestamp('Time when the link stops working; UNIX seconds.'),
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
    description: 'Merged employees are only returned if `mergedIntoId` is given.',
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
    description: 'Also returns merged employees.',
  }),
  updateEmployee: operation({
    kind: 'action',
    method: 'PATCH',
    path: '/v1/employees/:id',
    summary: 'Update an employee',
    description: 'Changes the given members and returns the employee. 409 if the address is in use.',
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
      'Returns the employee. The group is created on first use. Adding an employee twice has no effect.',
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
      'The given employees become secondary to the one in the path, which is returned. Their addresses become its `secondaryEmails`, and their records are shown under it. All are merged or none.',
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
    description: 'Restores the merged employee in the path with its records. The license is not restored.',
    tag: 'employees',
    response: Employee,
    errors: ['not_found'],
  }),
}
