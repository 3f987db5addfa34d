import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { useSetSession } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { FormError, mistakeOf, TextField } from '../../ui/field.tsx'
import { wordsOf } from '../../ui/words.ts'
import { EntryCard } from './entry-card.tsx'

/** The page of a one-time link: the first administrator, an invitation, a new password. Its token is behind the #. */
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
        <p>{link.error ? messageOf(link.error) : 'The part behind the # is missing: copy the whole link.'}</p>
        <Link to="/" className="button wide">
          Go to the sign-in
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
  const setSession = useSetSession()
  const [name, setName] = useState('')
  const [email, setEmail] = useState(facts.email ?? '')
  const [password, setPassword] = useState('')
  const accept = useMutation({
    mutationFn: () =>
      callConsole('acceptLink', {
        body: {
          token,
          password,
          ...(facts.kind === 'SETUP' ? { email } : {}),
          ...(facts.kind === 'RESET' ? {} : { name }),
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
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          accept.mutate()
        }}
      >
        {facts.kind !== 'RESET' && (
          <TextField
            label="Your name"
            autoComplete="name"
            required
            maxLength={128}
            error={mistakeOf(accept.error, 'name')}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          readOnly={facts.kind !== 'SETUP'}
          error={mistakeOf(accept.error, 'email')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 12 characters. A few words that do not belong together are good."
          error={mistakeOf(accept.error, 'password')}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormError error={accept.error} fields={['name', 'email', 'password']} />
        <PushButton kind="primary wide" type="submit" busy={accept.isPending}>
          {facts.kind === 'RESET' ? 'Set the password' : 'Continue'}
        </PushButton>
      </form>
    </EntryCard>
  )
}

function introduction({ kind, organisation, role }: Facts): string {
  if (kind === 'SETUP') return `You become the first administrator of “${organisation}”.`
  if (kind === 'RESET') return 'All your sessions end when the new password is set.'
  return `You are invited to the console of “${organisation}”. Your role: ${wordsOf(role).toLowerCase()}.`
}
