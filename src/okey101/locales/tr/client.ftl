# Sunucudaki masalarda oynayan programlar ve `okey101 client-check` komutunun söyledikleri.

## Hatalar
error-act-pending = Bu sıradaki bir hamle hâlâ yanıt bekliyor.
error-bad-address = { $address } bir sunucu adresi değil; adres http:// ya da https:// ile başlar.
error-line-closed = Program bağlantıyı kendisi kapattı.
error-no-server = { $address } adresinde yanıt veren bir sunucu yok: { $reason }.
error-not-okey101 = { $address } adresinde yanıt veren, bir okey101 sunucusu değil.
error-other-protocol = Sunucu { $theirs } sürümündeki protokolü konuşuyor, bu program { $ours } sürümünü.
error-unfair-deal = El, söz verilene uymuyor: { $reason }.
error-was-refused = Sunucu bağlantıyı HTTP { $status } ile geri çeviriyor.
