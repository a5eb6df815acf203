# Arena, veri ve başkalarının botları.

## Başkalarının botları
error-bot-unloadable = { $name } botu yüklenemiyor. { $reason }
error-bot-not-named = Dosyada { $name } botu oynuyor. Kodu burada çalışabilirse botu --bots ile yazın.
bot-installed = { $package } paketiyle gelir.
