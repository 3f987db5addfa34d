import { type Static, Type } from 'typebox'
import { approvalStatuses, sensitivityLevels } from '../app.ts'
import { allowPublicSuffix, BlockedUrl, patternLengthMaximum } from '../blocked-url.ts'
import { Controls } from '../controls.ts'
import { closed, count, exact, flag, id, listOf, lookup, oneOf, text } from '../fields.ts'
import { consoleOperation } from './console-operation.ts'

/** As many patterns as one call takes; the page sends more in several calls. */
export const patternsAtOnce = 500

/** As many extensions as one call tells of. */
export const extensionsAtOnce = 200

/** As many of each are offered to choose among. */
export const choicesShown = 1000

/** Further than this nothing is counted for a preview: it is "10,000+" then. */
export const previewMaximum = 10_000

const version = exact('Which state of the controls it is: another one after every change.', 'a1b2c3', 64, 1)

const ControlsState = closed(
  { controls: Controls, version },
  { description: 'The controls of the organization.' },
)

/** A number that is not counted beyond {@link previewMaximum}. */
const Bounded = closed(
  {
    count: count('How many there are.', 42),
    more: flag('Whether there are more than were counted.', false),
  },
  { description: 'How many there are, as far as it was counted.' },
)
export type Bounded = Static<typeof Bounded>

const appType = exact('An app as the catalog names it.', 'OKTA', 64, 1)
const extensionId = exact('Id of an extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1)

/** Whom and what a rule or a banner is for; what it does not name fits everybody. */
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
  { description: 'Whom and what a rule is for.' },
)
export type ControlScope = Static<typeof Scope>

const Reach = closed(
  {
    employees: count('Number of licensed employees that it is for.', 42),
    allEmployees: count('Number of licensed employees.', 420),
    browsers: { ...Bounded, description: 'Active browsers of these employees.' } as typeof Bounded,
    apps: count('How many known apps it is for.', 12),
  },
  { description: 'Whom and what a rule reaches now.' },
)
export type Reach = Static<typeof Reach>

const Product = closed(
  {
    appType,
    friendlyName: text('What people call it.', 'Okta', 256),
    identityProvider: flag('Whether other apps let people sign in by it.', true),
  },
  { description: 'A product of the catalog.' },
)
export type ControlProduct = Static<typeof Product>

const ExtensionUse = closed(
  {
    extensionId,
    name: text('What it calls itself; empty where nobody has it.', 'Grammar helper', 1024),
    browsers: Bounded,
  },
  { description: 'How far an extension is spread.' },
)
export type ExtensionUse = Static<typeof ExtensionUse>

const RefusedPattern = closed(
  {
    index: count('Its place in the list that was sent, from 0.', 3),
    pattern: text('What was sent.', 'http//example', patternLengthMaximum + 1),
    message: text('What it must be.', 'must have a host name', 1024),
    publicSuffix: flag('Whether it would be added with `allowPublicSuffix`.', false),
  },
  { description: 'A pattern that was refused.' },
)

/** The controls of the organization: what browsers are told to do. */
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
      { description: 'The change, and the state it was made from.' },
    ),
    response: ControlsState,
  }),
  readControlChoices: consoleOperation({
    method: 'GET',
    path: '/console/api/controls/choices',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read what rules can name: the products of the catalog, groups and labels.',
    response: closed(
      {
        products: listOf(Product, 'The products, by name.', [], 10_000),
        groups: listOf(text('A group.', 'Engineers', 128), 'Groups of employees.', [], choicesShown),
        labels: listOf(text('A label.', 'genai', 64), 'Labels of apps, in lower case.', [], choicesShown),
      },
      { description: 'What rules can name.' },
    ),
  }),
  previewScope: consoleOperation({
    method: 'POST',
    path: '/console/api/controls/reach',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Say whom and what a rule reaches now. Changes nothing.',
    body: Scope,
    response: Reach,
  }),
  previewExtensions: consoleOperation({
    method: 'POST',
    path: '/console/api/controls/extensions',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Say in how many browsers extensions are. Changes nothing.',
    body: closed(
      { extensionIds: listOf(extensionId, 'The extensions.', [], extensionsAtOnce, { minItems: 1 }) },
      { description: 'The extensions to look for.' },
    ),
    response: closed(
      { extensions: listOf(ExtensionUse, 'One for each, in the same order.', [], extensionsAtOnce) },
      { description: 'How far they are spread.' },
    ),
  }),
  addBlockedUrls: consoleOperation({
    method: 'POST',
    path: '/console/api/blocked-urls',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Block many addresses; what is wrong with a pattern is told, the others are added.',
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
        added: count('How many were added.', 12),
        known: count('How many were there already, or twice in the list.', 1),
        refused: listOf(RefusedPattern, 'Those that are wrong.', [], patternsAtOnce),
      },
      { description: 'What became of them.' },
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
    summary: 'Say how many stolen credentials there are; they themselves cannot be read.',
    response: closed(
      {
        count: count('How many there are.', 42),
        addresses: count('How many addresses they are of.', 40),
      },
      { description: 'How many there are.' },
    ),
  }),
} as const
