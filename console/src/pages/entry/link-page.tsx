import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { setSession } from '../../data/session.ts'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { EntryCard } from './entry-card.tsx'

/** Page of a one-time link: setup, invitation or password reset. The token is in the URL fragment. */
export function LinkPage() {
  const [token] = useState(() => location.hash.slice(1))
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => callConsole('openLink', { body: { token } }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  })
  if (token === '' || link.error)
    return (
      <EntryCard title="This link does not work">
        <p>
          {link.error
            ? messageOf(link.error)
            : 'The link is incomplete. Copy the whole link, including the part after the #.'}
        </p>
        <Link to="/" className="button wide">
          Go to sign-in
        </Link>
      </EntryCard>
    )
  if (!link.data) return null
  return <LinkForm token={token} facts={link.data} />
}

type Facts = Awaited<ReturnType<typeof callConsole<'openLink'>>>

const titles: Readonly<Record<Facts['kind'], string>> = {
  SETUP: 'Welcome',
  INVITATION: 'Join the console',
  RESET: 'Choose a new password',
}

function LinkForm({ token, facts }: { token: string; facts: Facts }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [email, setEmail] = useState(facts.email ?? '')
  const [password, setPassword] = useState('')
  const isUnnamed = facts.kind === 'SETUP' && facts.organization === firstName
  const [organization, setOrganization] = useState('')
  const accept = useMutation({
    mutationFn: () =>
      callConsole('acceptLink', {
        body: {
          token,
          password,
          ...(facts.kind === 'SETUP' ? { email } : {}),
          ...(facts.kind === 'RESET' ? {} : { name }),
          ...(isUnnamed && { organization }),
        },
      }),
    onSuccess: async (state) => {
      setSession(state)
      await navigate({ to: '/', hash: '', replace: true })
    },
  })
  return (
    <EntryCard title={titles[facts.kind]}>
      <p className="soft">{introduction(facts)}</p>
      <Form
        sending={accept}
        kind="primary wide"
        action={facts.kind === 'RESET' ? 'Set password' : 'Continue'}
      >
        {isUnnamed && (
          <TextField
            label="Organization name"
            name="organization"
            autoComplete="organization"
            hint="Browsers show it in warnings. You can change it in the settings."
            required
            maxLength={128}
            {...bound(organization, setOrganization)}
          />
        )}
        {facts.kind !== 'RESET' && (
          <TextField
            label="Your name"
            name="name"
            autoComplete="name"
            required
            maxLength={128}
            {...bound(name, setName)}
          />
        )}
        <TextField
          label="E-mail address"
          name="email"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="username"
          required
          readOnly={facts.kind !== 'SETUP'}
          {...bound(email, setEmail)}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 12 characters. Use a few unrelated words."
          {...bound(password, setPassword)}
        />
      </Form>
    </EntryCard>
  )
}

/** Default name of an organization. */
const firstName = 'default'

function introduction({ kind, organization, role }: Facts): string {
  if (kind === 'SETUP')
    return organization === firstName
      ? 'You’ll be the first administrator (owner). You can invite others later.'
      : `You’ll be the first administrator (owner) of “${organization}”.`
  if (kind === 'RESET') return 'Setting a new password ends all your sessions.'
  return `You have been invited to the console of “${organization}”. Your role: ${labelOf(role).toLowerCase()}.`
}
