import { formIdentity } from './form-identity.ts'
import { formPurpose } from './form-purpose.ts'
import type { FormFacts } from './page-facts.ts'
import { identityNow, type PageField, pageFields } from './page-fields.ts'
import type { PageText } from './page-text.ts'

/** Form with its fields, for readers of the document. */
export interface ShownForm {
  readonly facts: FormFacts
  readonly fields: readonly PageField[]
}

/** Facts of the page around its forms. */
export interface AroundForms {
  readonly isSignedIn: boolean
  readonly text: PageText
}

/** Reads the forms that ask for a password, an identity or a code. */
export function shownForms(_around: AroundForms): ShownForm[] {
  const fields = pageFields().filter(({ isVisible }) => isVisible)
  const groups = [...Map.groupBy(fields, ({ element }) => element.form).values()]
  return groups.flatMap((group) => {
    const countOf = (kind: PageField['kind']) => group.filter((field) => field.kind === kind).length
    const outline = {
      currentPasswords: countOf('PASSWORD'),
      newPasswords: countOf('NEW_PASSWORD'),
      identityFields: countOf('IDENTITY'),
      codeFields: countOf('CODE'),
    }
    const purpose = formPurpose(outline)
    if (purpose === 'OTHER') return []
    const facts: FormFacts = {
      ...formIdentity(group),
      purpose,
      currentPasswords: outline.currentPasswords,
      newPasswords: outline.newPasswords,
      hasIdentityField: outline.identityFields > 0,
      identity: identityNow(group),
      hasCodeField: outline.codeFields > 0,
    }
    return [{ facts, fields: group }]
  })
}
