# The account, on a screen of its own.

page-signed-in = Hesabınız: { $name }
page-is-guest = { $name } adıyla misafirsiniz. Parola koyarsanız maçlarınız hesabınızda kalır.
page-is-nobody = Hesap açmadan da oynayabilirsiniz. Önce bir ad seçin; sonra parola koyarsanız bu ad sizin hesabınız olur.
page-begin-guest = Bu adla devam et
page-have-account = Hesabım var
page-password = Parola (en az 8 karakter)
page-password-old = Şimdiki parola
page-password-new = Yeni parola (en az 8 karakter)
page-password-change = Parolayı değiştir
page-password-changed = Parolanız değişti; diğer bütün oturumlarınız kapandı.
page-upgrade = Hesap oluştur
page-login = Giriş yap
page-logout = Çıkış yap
page-sessions = Açık oturumlar
page-agent-unknown = Bilinmeyen cihaz
page-session-line = { $agent }, son görülme: { $when }
page-this-one = bu cihaz
page-end = Kapat
page-export = Verilerimi indir
page-delete-me = Hesabımı sil
page-delete-sure = Adınız ve oturumlarınız silinir; maçlarınız adsız kalır. Hesabı silmek istiyor musunuz?
