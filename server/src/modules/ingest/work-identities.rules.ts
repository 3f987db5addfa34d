/** Mail services that are open to everyone: a shared domain does not mean a shared employer. */
const publicMailDomains: ReadonlySet<string> = new Set([
  ...['126.com', '163.com', 'aim.com', 'aol.com', 'bluewin.ch', 'btinternet.com', 'comcast.net', 'cox.net'],
  ...['daum.net', 'duck.com', 'fastmail.com', 'fastmail.fm', 'foxmail.com', 'free.fr', 'freenet.de'],
  ...['gmail.com', 'gmx.at', 'gmx.ch', 'gmx.com', 'gmx.de', 'gmx.net', 'googlemail.com', 'hey.com'],
  ...['hotmail.co.uk', 'hotmail.com', 'hotmail.de', 'hotmail.es', 'hotmail.fr', 'hotmail.it', 'hushmail.com'],
  ...[
    'icloud.com',
    'inbox.ru',
    'interia.pl',
    'laposte.net',
    'libero.it',
    'list.ru',
    'live.co.uk',
    'live.com',
  ],
  ...['live.fr', 'live.nl', 'mac.com', 'mail.com', 'mail.de', 'mail.ru', 'mailbox.org', 'me.com', 'msn.com'],
  ...['naver.com', 'o2.pl', 'op.pl', 'orange.fr', 'outlook.com', 'outlook.de', 'outlook.es', 'outlook.fr'],
  ...['passport.com', 'pm.me', 'posteo.de', 'proton.me', 'protonmail.ch', 'protonmail.com', 'qq.com'],
  ...[
    'rediffmail.com',
    'rocketmail.com',
    'seznam.cz',
    'sfr.fr',
    'sina.com',
    'sky.com',
    'skynet.be',
    't-online.de',
  ],
  ...['telenet.be', 'terra.com.br', 'tiscali.it', 'tuta.com', 'tutanota.com', 'uol.com.br', 'verizon.net'],
  ...['virgilio.it', 'virginmedia.com', 'wanadoo.fr', 'web.de', 'wp.pl', 'ya.ru', 'yahoo.ca', 'yahoo.co.in'],
  ...[
    'yahoo.co.jp',
    'yahoo.co.uk',
    'yahoo.com',
    'yahoo.com.br',
    'yahoo.de',
    'yahoo.es',
    'yahoo.fr',
    'yahoo.it',
  ],
  ...['yandex.com', 'yandex.ru', 'ymail.com', 'zohomail.com'],
])

/**
 * Returns the identities that an employee signs in with for work (domain contract, section 2: `VISIT`): the
 * domain of each address, or the whole address at a public mail service.
 *
 * @param addresses addresses of the employee, case-folded
 * @returns `@` and a domain, or an address; without duplicates
 */
export const workIdentitiesOf = (addresses: readonly string[]): string[] => {
  const identities = addresses.map((address) => {
    const domain = address.slice(address.lastIndexOf('@') + 1)
    return publicMailDomains.has(domain) ? address : `@${domain}`
  })
  return [...new Set(identities)].sort()
}
