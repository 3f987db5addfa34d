// Script parts for `startInRoot`.

const base = ['base-files', 'coreutils', 'dash', 'findutils', 'grep', 'sed']

/** Debian packages of all PHP products. One list, so that they share a folder. */
export const phpPackages: readonly string[] = [
  ...base,
  'php-cli',
  'php-mysql',
  'php-sqlite3',
  'mariadb-server',
  'dovecot-imapd',
  'slapd',
  'phpmyadmin',
  'adminer',
  'wordpress',
  'roundcube-core',
  'roundcube-sqlite3',
  'mediawiki',
  'dokuwiki',
  'simplesamlphp',
  'ldap-account-manager',
  'icingaweb2',
]

/** Debian packages of all Python products. */
export const pythonPackages: readonly string[] = [
  ...base,
  'python3-django',
  'jupyter-notebook',
  'deluge-web',
  'deluged',
  'mailman3-web',
]

/** Enables all installed PHP modules, in order of priority. */
export const phpModules = `
ln -sf $(ls /usr/bin/php[0-9]* | head -n 1) /usr/bin/php
scan=$(ls -d /etc/php/*)/cli/conf.d
mkdir -p $scan
for ini in /usr/share/php*-*/*/*.ini; do
  cp $ini $scan/$(sed -n 's/^; priority=//p' $ini)-\${ini##*/}
done
cat > $scan/99-lab.ini <<'END'
auto_prepend_file = /lab/prepend.php
date.timezone = UTC
session.save_path = /tmp
opcache.enable_cli = 1
mysqli.default_socket = /run/mysqld/mysqld.sock
pdo_mysql.default_socket = /run/mysqld/mysqld.sock
END
cat > /lab/prepend.php <<'END'
<?php
if (($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https') {
  $_SERVER['HTTPS'] = 'on';
  $_SERVER['SERVER_PORT'] = '443';
  $_SERVER['SERVER_NAME'] = $_SERVER['HTTP_HOST'];
}
END
`

/** Serves a folder with PHP's built-in server; `router` is an optional script. */
export const phpServer = (port: number, folder: string, router = ''): string =>
  `PHP_CLI_SERVER_WORKERS=4 php -d display_errors=0 -S 127.0.0.1:${port} -t ${folder} ${router} &`

/** Starts MariaDB on its socket only, and runs statements as root. */
export const mariadb = (statements: string): string => `
echo 'mysql:x:101:101::/var/lib/mysql:/bin/sh' >> /etc/passwd
echo 'mysql:x:101:' >> /etc/group
mkdir -p /run/mysqld /etc/mysql/conf.d /etc/mysql/mariadb.conf.d
chown mysql:mysql /run/mysqld
rm -rf /var/lib/mysql
mariadb-install-db --user=mysql --skip-test-db --auth-root-authentication-method=socket > /tmp/install-db.log
mariadbd --user=mysql --skip-networking --socket=/run/mysqld/mysqld.sock &
until mariadb -e 'SELECT 1' > /dev/null 2>&1; do sleep 0.2; done
mariadb <<'END'
${statements}
END
`
