import { escaped, fieldHtml } from './form-markup.ts'
import type { Variant } from './variant-dimensions.ts'
import { wordsOf } from './variant-texts.ts'
import { identityOf } from './variant-truth.ts'

const tiles = ['Apollo', 'Borealis', 'Cassini'].map((name) => `<li>${name}</li>`).join('')

/** Returns the page of a signed-in user. */
export function landingHtml(variant: Variant): string {
  const words = wordsOf(variant.language)
  const home = '<span data-q="home">·</span>'
  const header = `<header><b>Works</b> <span>${escaped(identityOf(variant))}</span> <a href="/logout">${words.signOut}</a></header>`
  const plain: Variant = { ...variant, naming: 'telling' }
  const field = (role: string, type: string, label: string, name: string) =>
    fieldHtml(plain, { role, type, label, name })
  const dashboard = `${header}<h1>${words.home}</h1><ul>${tiles}</ul>${home}`
  switch (variant.landing) {
    case 'bare':
      return `<h1>${words.home}</h1><ul>${tiles}</ul>${home}`
    case 'change-password':
      return `${dashboard}<section><h2>${words.changePassword}</h2><form>
${field('current', 'password', words.current, 'current_password')}${field('new', 'password', words.newPassword, 'new_password')}
${field('repeat', 'password', words.repeat, 'repeat_password')}<button>${words.save}</button></form></section>`
    case 'unrelated-password':
      return `${dashboard}<section><h2>IMAP</h2><form>${field('imap', 'password', words.password, 'imap_secret')}
<button>${words.save}</button></form></section>`
    case 'newsletter':
      return `${dashboard}<footer><form><input type="email" name="newsletter" placeholder="${words.email}"><button>OK</button></form></footer>`
    case 'search':
      return `${header}<form role="search"><input name="q" placeholder="…"></form><h1>${words.home}</h1>${home}`
    case 'denied-alert':
      return `${dashboard}<div role="alert" class="alert alert-danger">Access denied to project Apollo. Ask its owner for access.</div>`
    case 'stay-signed-in':
      return `<h1>Stay signed in?</h1><p>Do this to reduce the number of times you are asked to sign in.</p>
<p>${escaped(identityOf(variant))}</p><button>No</button> <button>Yes</button>${home}`
    case 'passkey-offer':
      return `<h1>Set up a passkey</h1><p>Sign in faster next time with your face, fingerprint or screen lock.</p>
<button>Create a passkey</button> <a href="/home?later">Not now</a>${home}`
    case 'cookie-only':
      return `<p>OK</p>${home}`
    default:
      return dashboard
  }
}
