/** Test samples: each pattern, addresses that it blocks, and similar addresses that it does not block. */
export const patternTable: readonly (readonly [pattern: string, blocked: string[], open: string[]])[] = [
  [
    'example.com',
    [
      'http://example.com/',
      'https://example.com/a/b?c=d#e',
      'https://example.com:8443/',
      'https://example.com./x',
      'https://user:password@example.com/',
      'https://a.b@example.com/',
    ],
    [
      'https://www.example.com/',
      'https://example.com.evil.net/',
      'https://notexample.com/',
      'https://example.com@evil.net/',
      'https://evil.net/example.com',
      'https://evil.net/?https://example.com/',
      'ftp://example.com/',
    ],
  ],
  [
    '*.example.com',
    [
      'https://example.com/',
      'https://a.example.com/',
      'http://a.b.example.com:81/x',
      'https://a.example.com./',
    ],
    ['https://notexample.com/', 'https://example.com.evil.net/', 'https://example.org/'],
  ],
  [
    'https://example.com',
    ['https://example.com/', 'https://example.com:444/x'],
    ['http://example.com/', 'https://www.example.com/', 'http://evil.net/https://example.com/'],
  ],
  ['http://*.example.com', ['http://a.example.com/'], ['https://a.example.com/']],
  [
    'example.com:8443',
    ['https://example.com:8443/', 'http://example.com:8443/x'],
    [
      'https://example.com/',
      'https://example.com:84430/',
      'https://example.com/:8443/',
      'https://a.example.com:8443/',
    ],
  ],
  [
    'example.com:443',
    ['https://example.com/', 'http://example.com:443/'],
    ['http://example.com/', 'https://example.com:444/'],
  ],
  ['example.com:80', ['http://example.com/', 'https://example.com:80/'], ['https://example.com/']],
  [
    'https://*.example.com:443',
    ['https://a.example.com/'],
    ['https://a.example.com:8443/', 'http://a.example.com/'],
  ],
  [
    'example.com/login',
    [
      'https://example.com/login',
      'https://example.com/login?next=/',
      'https://example.com/login#top',
      'http://example.com:8080/login?#x',
    ],
    [
      'https://example.com/Login',
      'https://example.com/login/',
      'https://example.com/login/x',
      'https://example.com/x/login',
      'https://example.com/loginx',
      'https://a.example.com/login',
    ],
  ],
  [
    'example.com/',
    ['https://example.com/', 'https://example.com/?a=b', 'https://example.com'],
    ['https://example.com/a'],
  ],
  ['example.com/*', ['https://example.com/', 'https://example.com/a/b?c'], ['https://www.example.com/']],
  [
    '*.example.com/*/login*',
    ['https://a.example.com/x/login', 'https://example.com/x/y/loginpage?z'],
    ['https://example.com/login', 'https://example.com/x/Login'],
  ],
  [
    'example.com/a?b=c&d=*',
    ['https://example.com/a?b=c&d=', 'https://example.com/a?b=c&d=1#x'],
    ['https://example.com/a', 'https://example.com/a?b=c', 'https://example.com/a?b=c&d'],
  ],
  [
    'example.com/a.b+(c)',
    ['https://example.com/a.b+(c)'],
    ['https://example.com/axb+(c)', 'https://example.com/a.bb(c)'],
  ],
  ['example.com/Ü', ['https://example.com/Ü', 'https://example.com/%C3%9C'], ['https://example.com/U']],
  ['xn--bcher-kva.example', ['https://bücher.example/'], ['https://bucher.example/']],
  [
    '192.0.2.1',
    ['http://192.0.2.1/', 'http://192.0.2.1:8080/x'],
    ['http://192.0.2.10/', 'http://1.192.0.2.1.example/'],
  ],
  ['[2001:db8::1]', ['http://[2001:db8::1]/', 'https://[2001:db8:0::1]:8443/'], ['http://[2001:db8::2]/']],
  ['localhost', ['http://localhost:3000/'], ['http://a.localhost/']],
]
