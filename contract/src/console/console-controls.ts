import { type Static, Type } from 'typebox'
import { closed, count, exact, flag, id, listOf, lookup, oneOf, text } from '../api/fields.ts'
import { approvalStatuses, sensitivityLevels } from '../records/app.ts'
import { allowPublicSuffix, BlockedUrl, patternLengthMaximum } from '../records/blocked-url.ts'
import { Controls } from '../records/controls.ts'
import { consoleOperation } from './console-operation.ts'

/** Maximum number of patterns per call. */
export const patternsAtOnce = 500

/** Maximum number of extensions per call. */
export const extensionsAtOnce = 200

/** Maximum number of offered groups and labels. */
export const choicesShown = 1000

const version = exact('Version of the controls; changes with every update.', 'a1b2c3', 64, 1)

const ControlsState = closed(
  { controls: Controls, version },
  { description: 'The controls of the organization.' },
)

const appType = exact('An app type of the catalog.', 'OKTA', 64, 1)
const extensionId = exact('ID of an extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1)

/** Scope of a rule or banner. An omitted member does not restrict the scope. */
const Scope = closed(
  {
    employeeIds: Type.Optional(listOf(id('An employee.'), 'Only these employees.', [], 1000)),
    groups: Type.Optional(
      listOf(lookup('A group.', 'Engineers', 128, 1), 'Only employees of these groups.', ['Engineers'], 100),
    ),
    appTypes: Type.Optional(listOf(appType, 'Only these apps.', ['OKTA'], 500)),
    approvalStatuses: Type.Optional(
      listOf(oneOf(approvalStatuses, 'A status.', 'NOT_APPROVED'), 'Only apps with these statuses.', [], 3),
    ),
    sensitivityLevels: Type.Optional(
      listOf(oneOf(sensitivityLevels, 'A level.', 'HIGH'), 'Only apps of these levels.', [], 3),
    ),
    labels: Type.Optional(
      listOf(lookup('A label.', 'GenAI', 64, 1), 'Only apps with one of these labels.', ['GenAI'], 50),
    ),
  },
  { description: 'Scope of a rule.' },
)
export type ControlScope = Static<typeof Scope>

const Reach = closed(
  {
    employees: count('Number of licensed employees in scope.', 42),
    allEmployees: count('Number of licensed employees.', 420),
    browsers: count('Number of active browsers of these employees.', 57),
    apps: count('Number of known apps in scope.', 12),
  },
  { description: 'Current reach of a rule.' },
)
export type Reach = Static<typeof Reach>

const Product = closed(
  {
    appType,
    friendlyName: text('Display name.', 'Okta', 256),
    identityProvider: flag('True if other apps let people sign in by it.', true),
  },
  { description: 'A product of the catalog.' },
)
export type ControlProduct = Static<typeof Product>

const ExtensionUse = closed(
  {
    extensionId,
    name: text('Name of the extension; empty if it is not installed anywhere.', 'Grammar helper', 1024),
    browsers: count('Number of browsers that have it.', 42),
  },
  { description: 'Usage of an extension.' },
)
export type ExtensionUse = Static<typeof ExtensionUse>

const RefusedPattern = closed(
  {
    index: count('Index in the request, from 0.', 3),
    pattern: text('The given pattern.', 'http//example', patternLengthMaximum + 1),
    message: text('Error message.', 'must have a host name', 1024),
    publicSuffix: flag('True if it would be added with `allowPublicSuffix`.', false),
  },
  { description: 'A refused pattern.' },
)

/** Operations on the controls of the organization. */
export const controlsOperations = {
  readControls: consoleOperation({
    method: 'GET',
    path: '/console/api/controls',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the controls.',
    response: ControlsState,
  }),
  changeControls: consoleOperation({
    method: 'PATCH',
    path: '/console/api/controls',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Change the controls; refused if somebody else has changed them meanwhile.',
    bodyLimitBytes: 4 * 1024 * 1024,
    body: closed(
      {
        seen: version,
        change: Type.Partial(Controls, { description: 'The members that change, each as a whole.' }),
      },
      { description: 'The change and the version it is based on.' },
    ),
    response: ControlsState,
  }),
  readControlChoices: consoleOperation({
    method: 'GET',
    path: '/console/api/controls/choices',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the values that rules can refer to: products, groups and labels.',
    response: closed(
      {
        products: listOf(Product, 'The products, by name.', [], 10_000),
        groups: listOf(text('A group.', 'Engineers', 128), 'Groups of employees.', [], choicesShown),
        labels: listOf(text('A label.', 'genai', 64), 'Labels of apps, in lower case.', [], choicesShown),
      },
      { description: 'Values that rules can refer to.' },
    ),
  }),
  previewScope: consoleOperation({
    method: 'POST',
    path: '/console/api/controls/reach',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Preview the reach of a rule. Changes nothing.',
    body: Scope,
    response: Reach,
  }),
  previewExtensions: consoleOperation({
    method: 'POST',
    path: '/console/api/controls/extensions',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Count the browsers that have extensions. Changes nothing.',
    body: closed(
      { extensionIds: listOf(extensionId, 'The extensions.', [], extensionsAtOnce, { minItems: 1 }) },
      { description: 'The extensions to look for.' },
    ),
    response: closed(
      { extensions: listOf(ExtensionUse, 'One for each, in the same order.', [], extensionsAtOnce) },
      { description: 'Usage of the extensions.' },
    ),
  }),
  addBlockedUrls: consoleOperation({
    method: 'POST',
    path: '/console/api/blocked-urls',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Block many addresses. Invalid patterns are reported, the others are added.',
    bodyLimitBytes: 2 * 1024 * 1024,
    body: closed(
      {
        patterns: listOf(
          text('A pattern.', '*.example.net', patternLengthMaximum + 1),
          'The patterns.',
          ['*.example.net'],
          patternsAtOnce,
          { minItems: 1 },
        ),
        allowPublicSuffix: Type.Optional(allowPublicSuffix),
      },
      { description: 'The patterns to block.' },
    ),
    response: closed(
      {
        added: count('Number of added patterns.', 12),
        known: count('Number of existing or duplicate patterns.', 1),
        refused: listOf(RefusedPattern, 'Refused patterns.', [], patternsAtOnce),
      },
      { description: 'Result by pattern.' },
    ),
  }),
  deleteBlockedUrl: consoleOperation({
    method: 'DELETE',
    path: '/console/api/blocked-urls/:id',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Stop blocking an address.',
    response: BlockedUrl,
  }),
  readStolenCredentials: consoleOperation({
    method: 'GET',
    path: '/console/api/stolen-credentials',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Count the stolen credentials. The credentials cannot be read.',
    response: closed(
      {
        count: count('Number of records.', 42),
        addresses: count('Number of distinct addresses.', 40),
      },
      { description: 'Number of records.' },
    ),
  }),
} as const
