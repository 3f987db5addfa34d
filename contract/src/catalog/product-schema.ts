import { Type } from 'typebox'
import { closed, exact, line, listOf, oneOf } from '../api/fields.ts'
import { appTypePattern, secondFactors } from './product.ts'
import { productCategoryIds } from './product-categories.ts'

const token = (description: string) =>
  Type.String({ description, examples: ['ZAPIER'], minLength: 1, maxLength: 64, pattern: appTypePattern })
const host = exact('A host name in lower case.', 'zapier.com', 253, 1)

/** Schema of a `Product` from a file or a command. `catalogProblems` checks the rest. */
export const ProductSchema = closed(
  {
    appType: token('The token of the app.'),
    friendlyName: line('Display name.', 'Zapier', 256, 1),
    website: exact('The web site, by https.', 'https://zapier.com', 2048, 1),
    description: line('Description of the product in one sentence.', 'Connects apps.', 200, 1),
    categories: Type.Optional(
      listOf(
        oneOf(productCategoryIds, 'A category.', 'AUTOMATION'),
        'Its categories, the main one first.',
        ['AUTOMATION'],
        4,
        { minItems: 1, uniqueItems: true },
      ),
    ),
    domains: listOf(host, 'The names whose hosts belong to the product.', ['zapier.com'], 64, {
      minItems: 1,
    }),
    loginHosts: listOf(host, 'The hosts where one signs in.', ['zapier.com'], 64),
    identityProvider: Type.Optional(token('Its own token, where other apps let people sign in by it.')),
    brandWords: Type.Optional(
      listOf(line('A word.', 'Okta', 64, 1), 'The words of its sign-in page.', ['Okta'], 16),
    ),
    hostPatterns: Type.Optional(
      listOf(
        exact('A pattern.', '*.okta.com', 255, 3),
        'More hosts of its sign-in page.',
        ['*.okta.com'],
        16,
      ),
    ),
    secondFactors: Type.Optional(
      listOf(
        oneOf(secondFactors, 'A second factor.', 'APP_TOTP'),
        'The second factors that it offers.',
        ['APP_TOTP'],
        secondFactors.length,
        { minItems: 1, uniqueItems: true },
      ),
    ),
  },
  { description: 'A product of the catalog.' },
)
