import { escaped, type FieldMarkup, fieldHtml } from './form-markup.ts'
import type { Variant } from './variant-dimensions.ts'
import { type Words, wordsOf } from './variant-texts.ts'

/** Form that is not a login, with the person's input. */
export interface TaskForm {
  readonly title: string
  readonly path: string
  readonly fields: readonly (FieldMarkup & { readonly value: string })[]
  readonly button: string
  readonly above?: string
}

const field = (
  role: string,
  type: string,
  label: string,
  name: string,
  value: string,
  more = '',
): TaskForm['fields'][number] => ({
  role,
  type,
  label,
  name,
  value,
  more,
  ...(name.includes('new') ? { autocomplete: 'new-password' } : {}),
})

const mail = 'ada.byron@acme-works.example'
const other = 'grace.murray@acme-works.example'

/** Returns the form of a task; undefined for a login. */
export function taskForm(
  { task, language }: Pick<Variant, 'task' | 'language'>,
  password: string,
): TaskForm | undefined {
  const words = wordsOf(language)
  const secrets = (labels: Words, from = password) => [
    field('new', 'password', labels.newPassword, 'new_password', from),
    field('repeat', 'password', labels.repeat, 'new_password_again', from),
  ]
  const join = [
    field('name', 'text', 'Ada Byron', 'full_name', 'Ada Byron'),
    field('mail', 'email', words.email, 'email', mail),
    ...secrets(words),
  ]
  switch (task) {
    case 'login':
      return undefined
    case 'sign-up':
    case 'sign-up-mail-code':
    case 'sign-up-taken':
      return { title: words.signUp, path: '/join', fields: join, button: words.signUp }
    case 'checkout-account':
    case 'checkout-guest': {
      const create = field(
        'create',
        'checkbox',
        words.signUp,
        'create_account',
        task === 'checkout-account' ? 'on' : '',
      )
      const address = [
        field('mail', 'email', words.email, 'email', mail),
        field('street', 'text', 'Street', 'street', 'Main Street 5'),
      ]
      const secret = field(
        'new',
        'password',
        words.password,
        'new_password',
        task === 'checkout-account' ? password : '',
      )
      return {
        title: 'Checkout',
        path: '/checkout',
        fields: [...address, create, secret],
        button: 'Place order',
      }
    }
    case 'own-password':
      return {
        title: words.changePassword,
        path: '/settings/password',
        fields: [
          field('current', 'password', words.current, 'current_password', password),
          ...secrets(words, `${password}-b`),
        ],
        button: words.save,
      }
    case 'own-password-named':
      return {
        title: words.changePassword,
        path: '/profile',
        fields: [
          field('mail', 'email', words.email, 'email', mail),
          field('current', 'password', words.current, 'old', password),
          ...secrets(words, `${password}-b`),
        ],
        button: words.save,
      }
    case 'other-user':
      return {
        title: 'Add user',
        path: '/admin/users/create',
        fields: [field('mail', 'email', words.email, 'email', other), ...secrets(words)],
        button: 'Create user',
      }
    case 'server-connection':
      return {
        title: 'Mail server',
        path: '/admin/mail',
        fields: [
          field('server', 'text', 'SMTP host', 'smtp_host', 'smtp.acme-works.example'),
          field('login', 'text', words.user, 'smtp_user', 'mailer'),
          field('secret', 'password', words.password, 'smtp_password', password),
        ],
        button: words.save,
      }
    case 'site-setup':
      return {
        title: 'Install: database',
        path: '/install/database',
        fields: [
          field('server', 'text', 'Database host', 'db_host', 'db.acme-works.example'),
          field('base', 'text', 'Database name', 'db_name', 'works'),
          field('login', 'text', words.user, 'db_user', 'works'),
          field('secret', 'password', words.password, 'db_password', password),
        ],
        button: words.next,
      }
    case 'invite':
      return {
        title: 'Invite a colleague',
        path: '/team/invite',
        fields: [field('mail', 'email', words.email, 'email', other)],
        button: 'Send invitation',
      }
    case 'search':
      return {
        title: 'Search people',
        path: '/people',
        fields: [field('query', 'text', words.user, 'username', 'grace')],
        button: 'Search',
      }
    case 'newsletter':
      return {
        title: 'Newsletter',
        path: '/news',
        fields: [field('mail', 'email', words.email, 'email', mail)],
        button: 'Subscribe',
      }
    case 'api-token':
      return {
        title: 'Connect the tracker',
        path: '/integrations/tracker',
        fields: [
          field('server', 'url', 'Tracker URL', 'base_url', 'https://tracker.acme-works.example'),
          field('login', 'email', words.email, 'email', mail),
          field('secret', 'password', 'API token', 'api_token', `tok-${password}`),
        ],
        button: words.save,
      }
    case 'pin-unlock':
      return {
        title: 'Screen locked',
        path: '/kiosk',
        fields: [field('secret', 'password', 'PIN', 'pin', '48275513', 'inputmode="numeric"')],
        button: 'Unlock',
      }
    case 'vpn-profile':
      return {
        title: 'VPN profile',
        path: '/network/vpn',
        fields: [
          field('name', 'text', 'Profile', 'profile', 'Office'),
          field('server', 'text', 'Gateway', 'gateway', 'vpn.acme-works.example'),
          field('login', 'text', words.user, 'username', 'ada.byron'),
          field('secret', 'password', words.password, 'password', password),
        ],
        button: words.save,
      }
    case 'delete-confirm':
      return {
        title: 'Delete project Apollo',
        path: '/projects/apollo/delete',
        above: 'This cannot be undone. Enter your password to confirm.',
        fields: [field('secret', 'password', words.password, 'password', password)],
        button: 'Delete project',
      }
  }
}

/** Returns the page of a task. */
export function taskHtml(variant: Variant, form: TaskForm, error: string): string {
  const inputs = form.fields.map((one) => fieldHtml(variant, one)).join('\n')
  const failed = error === '' ? '' : `<p role="alert">${escaped(error)}</p>`
  return `<h1>${escaped(form.title)}</h1><p>${escaped(form.above ?? '')}</p>${failed}
<form id="f1" method="post" action="${form.path}" novalidate>${inputs}
<button data-q="go">${escaped(form.button)}</button></form>`
}
