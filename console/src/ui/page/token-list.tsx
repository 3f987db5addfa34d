import { useState } from 'react'
import { Badge } from '../badge.tsx'
import { PushButton } from '../button.tsx'
import { Confirm } from '../dialog/confirm.tsx'
import { CheckField } from '../form/form.tsx'
import { Moment } from '../text/moment.tsx'

interface Token {
  readonly id: string
  readonly name: string
  readonly createdBy?: string
  readonly creationTimestamp: number
  readonly lastUsedTimestamp: number | null
  readonly revokedTimestamp: number | null
}

interface TokenProps<T> {
  /** Returns further facts about a token. */
  readonly facts: (token: T) => string
  readonly mayWrite: boolean
  readonly revoke: (id: string) => Promise<unknown>
  /** Effect of a revocation. */
  readonly effect: string
  readonly onChange: () => void
}

/** Bearer tokens, newest first. Revoked ones are shown on demand. */
export function TokenList<T extends Token>({
  title,
  tokens,
  ...props
}: TokenProps<T> & {
  readonly title?: string
  /** Oldest first. */
  readonly tokens: readonly T[]
}) {
  const [all, setAll] = useState(false)
  const shown = tokens.toReversed().filter(({ revokedTimestamp }) => all || revokedTimestamp === null)
  return (
    <section className="card">
      {title && <h2>{title}</h2>}
      <CheckField checked={all} onChange={setAll}>
        Show revoked tokens
      </CheckField>
      <ul className="lines">
        {shown.map((token) => (
          <TokenLine key={token.id} token={token} {...props} />
        ))}
      </ul>
      {shown.length === 0 && <p className="soft">No active tokens</p>}
    </section>
  )
}

function TokenLine<T extends Token>({
  token,
  facts,
  mayWrite,
  revoke,
  effect,
  onChange,
}: TokenProps<T> & { readonly token: T }) {
  const [revoking, setRevoking] = useState(false)
  const { id, name, createdBy, creationTimestamp, lastUsedTimestamp, revokedTimestamp } = token
  const isActive = revokedTimestamp === null
  return (
    <li>
      <span className="grow">
        {name}
        <br />
        <span className="soft small">
          created <Moment seconds={creationTimestamp} />
          {createdBy !== undefined && ` by ${createdBy}`} · last used{' '}
          <Moment seconds={lastUsedTimestamp} never="never" /> · {facts(token)}
        </span>
      </span>
      {isActive ? <Badge tone="good">Active</Badge> : <Badge>Revoked</Badge>}
      {isActive && mayWrite && (
        <PushButton aria-label={`Revoke ${name}`} onClick={() => setRevoking(true)}>
          Revoke
        </PushButton>
      )}
      {revoking && (
        <Confirm
          title={`Revoke “${name}”?`}
          action="Revoke token"
          run={() => revoke(id)}
          onDone={onChange}
          onClose={() => setRevoking(false)}
        >
          <p>{effect}</p>
        </Confirm>
      )}
    </li>
  )
}
