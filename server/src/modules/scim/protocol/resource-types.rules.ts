import {
  type Attribute,
  binary,
  boolean,
  complex,
  indexedText,
  type ResourceType,
  reference,
  type ScimSchema,
  string,
} from './scim-schema.rules.ts'

/** Schemas of users and groups, as RFC 7643 defines them in sections 4 and 8.7. */

const display = string('display', 'Name for display.')
const primary = boolean('primary', 'True for the preferred value; at most one.')

/** Declares a multi-valued attribute with the sub-attributes of RFC 7643, section 2.4. */
const valuesOf = (
  name: string,
  description: string,
  value: Attribute,
  kinds: readonly string[],
  more: readonly Attribute[] = [],
): Attribute =>
  complex(
    name,
    description,
    [
      value,
      display,
      string('type', 'Kind of the value.', kinds.length > 0 ? { canonicalValues: kinds } : {}),
      primary,
      ...more,
    ],
    { multiValued: true },
  )

const text = (description: string) => string('value', description)
const readOnly = { mutability: 'readOnly' } as const

const userAttributes: readonly Attribute[] = [
  string('userName', 'Name by which the user signs in.', {
    required: true,
    uniqueness: 'server',
    maximumCharacters: 256,
  }),
  complex('name', 'Parts of the name.', [
    string('formatted', 'Whole name.'),
    string('familyName', 'Last name.'),
    string('givenName', 'First name.'),
    string('middleName', 'Middle name.'),
    string('honorificPrefix', 'Title before the name.'),
    string('honorificSuffix', 'Suffix of the name.'),
  ]),
  string('displayName', 'Name for display.', indexedText),
  string('nickName', 'Casual name.'),
  reference('profileUrl', 'Page of the user.', { referenceTypes: ['external'] }),
  string('title', 'Job title.'),
  string('userType', 'Relation to the organization.'),
  string('preferredLanguage', 'Preferred languages.'),
  string('locale', 'Locale.'),
  string('timezone', 'Time zone.'),
  boolean('active', 'False for a user who has left. The employee is then offboarded.'),
  string('password', 'Not stored.', { mutability: 'writeOnly', returned: 'never', caseExact: true }),
  valuesOf(
    'emails',
    'Email addresses. The primary one is that of the employee.',
    string('value', 'Email address.', indexedText),
    ['work', 'home', 'other'],
  ),
  valuesOf('phoneNumbers', 'Phone numbers.', text('Phone number.'), [
    'work',
    'home',
    'mobile',
    'fax',
    'pager',
    'other',
  ]),
  valuesOf('ims', 'Instant messaging addresses.', text('Address.'), []),
  valuesOf('photos', 'Photos.', reference('value', 'URL of the photo.', { referenceTypes: ['external'] }), [
    'photo',
    'thumbnail',
  ]),
  complex(
    'addresses',
    'Addresses. The locality of the work address is the location of the employee.',
    [
      string('formatted', 'Whole address.'),
      string('streetAddress', 'Street and number.'),
      string('locality', 'City.'),
      string('region', 'State or region.'),
      string('postalCode', 'Postal code.'),
      string('country', 'Country.'),
      string('type', 'Kind of the address.', { canonicalValues: ['work', 'home', 'other'] }),
      primary,
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'Groups of the user. They change with the members of groups.',
    [
      string('value', 'ID of the group.', { ...readOnly, caseExact: true }),
      reference('$ref', 'URI of the group.', { ...readOnly, referenceTypes: ['Group'] }),
      string('display', 'Name of the group.', readOnly),
      string('type', 'Kind of membership.', { ...readOnly, canonicalValues: ['direct'] }),
    ],
    { multiValued: true, ...readOnly },
  ),
  valuesOf('entitlements', 'Entitlements.', text('Entitlement.'), []),
  valuesOf('roles', 'Roles.', text('Role.'), []),
  valuesOf('x509Certificates', 'Certificates.', binary('value', 'Certificate (DER, base64).'), []),
]

const userSchema: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A user of the directory.',
  attributes: userAttributes,
}

const enterpriseSchema: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Facts about the user in the organization.',
  attributes: [
    string('employeeNumber', 'Number of the employee.'),
    string('costCenter', 'Cost center.'),
    string('organization', 'Organization.'),
    string('division', 'Division.'),
    string('department', 'Department of the employee.'),
    complex('manager', 'Manager of the user.', [
      string('value', 'ID of the manager.', { caseExact: true }),
      reference('$ref', 'URI of the manager.', { referenceTypes: ['User'] }),
      string('displayName', 'Name of the manager.', readOnly),
    ]),
  ],
}

const immutable = { mutability: 'immutable' } as const

const groupSchema: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of users.',
  attributes: [
    string('displayName', 'Name of the group.', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'Members of the group. Groups cannot be members.',
      [
        string('value', 'ID of the user.', { ...immutable, caseExact: true }),
        reference('$ref', 'URI of the user.', { ...immutable, referenceTypes: ['User'] }),
        string('display', 'Name of the user.', readOnly),
        string('type', 'Type of the member.', { ...immutable, canonicalValues: ['User'] }),
      ],
      { multiValued: true },
    ),
  ],
}

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'Users of the directory.',
  schema: userSchema,
  extensions: [enterpriseSchema],
}

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Groups of the directory.',
  schema: groupSchema,
  extensions: [],
}

export const resourceTypes: readonly ResourceType[] = [userType, groupType]

/** URN of the extension with department and manager. */
export const enterpriseUrn = enterpriseSchema.id
