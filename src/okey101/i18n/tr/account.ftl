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

# Arkadaşlar, kendi ekranında.

friends-nobody = Arkadaşlarınızın sizi yeniden bulması için bir adınız olmalı. Bir ad seçin ya da hesabınıza girin.
friends-asks = Arkadaşınız olmak isteyenler
friends-friends = Arkadaşlarınız
friends-asked = İstek gönderdikleriniz
friends-met = Birlikte oynadıklarınız
friends-none = Henüz kimse yok. Adıyla ekleyin ya da masada tanıştığınız birine istek gönderin.
friends-here = burada
friends-agree = Kabul et
friends-refuse = Reddet
friends-part = Çıkar
friends-withdraw = Geri al
friends-blocked = Engelledikleriniz
friends-block = Engelle
friends-unblock = Engeli kaldır
friends-block-about = Engellediğiniz kişi masalarınızı ve meydan okumalarınızı görmez, hızlı masada karşınıza çıkmaz ve bundan haberi olmaz. Başka masalarda da söylediklerini duymazsınız.
friends-ask = İstek gönder
friends-show = Burada olduğumu arkadaşlarım görsün
friends-name = Hesap adıyla istek gönderin
friends-added = { $name } adlı hesaba istek gönderildi.
