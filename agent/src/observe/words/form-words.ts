import { wordList } from './word-list.ts'

/** Words that indicate the purpose of forms and pages, in the syntax of `wordList`. */

/** Sign-out controls. */
export const saysSignOut = wordList(
  'sign out, log out, log off, sign off, abmelden, ausloggen, abmeldung, deconnexion, se deconnecter, deconnecter',
  'cerrar sesion, desconectar*, salir, terminar sessao, encerrar sessao, sair, disconnetti*, esci, uitloggen, afmelden',
  'wyloguj*, выйти, выход, вийти, вихід, cikis*, oturumu kapat*, odhlasit*, odhlaseni, logga ut, log ud, logg ut, logg av',
  'kirjaudu ulos, ログアウト, サインアウト, 退出, 登出, 注销, 註銷, 로그아웃, تسجيل الخروج, خروج, साइन आउट, लॉग आउट, लॉगआउट',
)

/** Controls that give up a sign-in and start again. */
export const saysBackToSignIn = wordList(
  '(back/return) to (the)? ?(sign in/log in/sign on)( page)?, zuruck (zur/zum) (anmeldung/login/anmeldeseite)*, (retour a/revenir a/retourner a) la (page de)? ?connexion',
  'volver a (iniciar sesion/ingresar/entrar), (volver/regresar) (al/a la pagina de) (inicio de sesion/login), voltar (para/ao/a) ?(o/a)? ?((pagina/tela) de)? ?(login/inicio de sessao), (torna/ritorna) (al login/all accesso/alla pagina di accesso), terug naar (inloggen/aanmelden/de inlogpagina)',
  '(powrot/wroc) do (logowania/strony logowania), (вернуться/назад) (ко входу/к входу/к странице входа/на страницу входа), (повернутися/назад) до (входу/сторінки входу), (giris sayfasina/girise) (geri)? ?don*, zpet (na/k) prihlaseni, tillbaka till inloggning*, tilbage til (login/log ind), tilbake til (innlogging*/palogging*)',
  '(takaisin/palaa) (sisaan)? ?kirjautumi*, (ログイン/サインイン)(画面/ページ)?(に/へ)戻る, 返回(登录/登錄/登入), 로그인(으로/ 화면으로/ 페이지로) ?돌아가기, العودة إلى (تسجيل الدخول/صفحة تسجيل الدخول), साइन इन पर वापस',
)

/** Menus of a signed-in user. */
export const saysAccountMenu = wordList(
  '(account/profile/user/avatar) (menu/settings/options), my (account/profile), your (account/profile), user menu, profile picture, avatar',
  'mein (konto/profil), benutzermen*, kontoeinstellungen, mon (compte/profil), mi (cuenta/perfil), minha conta, meu perfil',
  'il mio (account/profilo), mijn (account/profiel), moje konto, moj profil, мой (профиль/аккаунт), личный кабинет, мій (профіль/акаунт)',
  'hesabim, profilim, muj ucet, mitt konto, min (konto/profil), oma tili, マイページ, アカウント設定, プロフィール, 我的账户, 我的帐户',
  '我的帳戶, 个人中心, 個人資料, 내 계정, 마이페이지, 내 정보, حسابي, ملفي, मेरा खाता, मेरी प्रोफ़ाइल',
)

/** Pages and panels that create a user for somebody else. */
export const saysNewUser = wordList(
  '(add/new/create/invite) (a/an)? ?(new)? ?(user/member/employee/account/operator/admin/administrator), user management, users',
  '(benutzer/nutzer) (hinzufugen/anlegen/erstellen), neuer benutzer, benutzerverwaltung, (ajouter/creer) un utilisateur',
  'nouvel utilisateur, (agregar/anadir/crear/nuevo) usuario, (adicionar/criar/novo) usuario, (aggiungi/crea/nuovo) utente',
  'gebruiker toevoegen, nieuwe gebruiker, dodaj uzytkownika, nowy uzytkownik, (добавить/создать/новый) пользовател*',
  '(додати/створити/новий) користувач*, kullanici ekle, yeni kullanici, pridat uzivatele, novy uzivatel, lagg till anvandare',
  'ny anvandare, ny bruger, ny bruker, lisaa kayttaja, ユーザーを?追加, 新規ユーザー, 添加用户, 新建用户, 新增使用者, 新增用户, 사용자 추가',
  '새 사용자, إضافة مستخدم, مستخدم جديد, उपयोगकर्ता जोड़ें, नया उपयोगकर्ता',
)

/** Fields for a user's permissions, which only forms about other users have. */
export const saysRole = wordList(
  'roles?, groups?, permissions?, privileges?, access level, user type, is (admin/staff/active), rolle*, gruppe*, berechtigung*',
  'groupes?, rol, grupos?, permisos?, funcao, papel, permissoes, ruol(o/i), grupp(o/i), rechten, groepen?, rola, grupa, uprawnienia',
  'роль, роли, групп*, права, yetki, grup*, skupina, roll, behorighet*, rooli, ロール, 役割, 権限, 角色, 用户组, 权限, 權限, 역할, 권한',
  'الدور, صلاحيات, भूमिका, समूह',
)

/** Fields for the address of another server. */
export const saysServer = wordList(
  'server*, host*, end ?point, base url, url, port, smtp*, imap*, ldap*, bind dn, proxy*, database*, db (host/name/user/port), dsn, jdbc*',
  'serveur, hote, servidor, puerto, porta, poort, serwer, сервер*, хост, порт, sunucu*, サーバー?, ホスト, 服务器, 伺服器, 主机, 端口, 서버, 호스트',
  'الخادم, सर्वर',
)

/** Controls that save or test settings. */
export const saysSave = wordList(
  'save*, apply, update, test*, connect, verify connection, submit changes, speichern, ubernehmen, testen, enregistrer, appliquer, tester',
  'guardar, aplicar, probar, salvar, testar, salva, applica, prova, opslaan, toepassen, zapisz, zastosuj, сохранить, применить',
  'зберегти, kaydet, uygula, ulozit, spara, gem, lagre, tallenna, 保存, 適用, 儲存, 应用, 测试, 저장, 적용, حفظ, सहेजें, सेव',
)

/** Pages that set up a new installation or its first administrator. */
export const saysSetUp = wordList(
  'set up, setup*, install*, installation, wizard, first run, getting started, initial (admin*/configuration), (create/new) (the)? ?(first)? ?admin*',
  'einrichtung, einrichten, configuration initiale, instalacion, instalacao, installazione, configurazione iniziale, installatie',
  'instalacja, konfiguracja, установка, мастер, встановлення, kurulum, instalace, asennus, セットアップ, 初期設定, 安装, 安裝, 설치, 초기 설정',
  'الإعداد, التثبيت, सेटअप',
)
