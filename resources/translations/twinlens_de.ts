<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AddPanel</name>
    <message>
        <source>Add a column</source>
        <translation>Spalte hinzufügen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Put together by hand</source>
        <translation>Selbst zusammengestellt</translation>
    </message>
    <message>
        <source>Made of vectors that the library keeps: no photograph is read again. It is not kept unless you say so.</source>
        <translation>Entsteht aus Vektoren, die die Bibliothek bewahrt: Kein Foto wird noch einmal gelesen. Bewahrt wird sie nur, wenn Sie es sagen.</translation>
    </message>
    <message>
        <source>Index that is changed</source>
        <translation>Index, der geändert wird</translation>
    </message>
    <message>
        <source>Add this column</source>
        <translation>Diese Spalte hinzufügen</translation>
    </message>
    <message>
        <source>Indexes of the library</source>
        <translation>Indexe der Bibliothek</translation>
    </message>
    <message>
        <source>Worth seeing beside “{index}”</source>
        <translation>Sehenswert neben „{index}“</translation>
    </message>
    <message>
        <source>Change this column</source>
        <translation>Diese Spalte ändern</translation>
    </message>
    <message>
        <source>Change it</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>How it becomes bits</source>
        <translation>Wie daraus Bits werden</translation>
    </message>
    <message>
        <source>How the bits are searched</source>
        <translation>Wie die Bits durchsucht werden</translation>
    </message>
</context>
<context>
    <name>AddingControl</name>
    <message>
        <source>Looking through {0}…</source>
        <translation>{0} wird durchgesehen …</translation>
    </message>
    <message>
        <source>Adding photographs…</source>
        <translation>Fotos werden hinzugefügt …</translation>
    </message>
    <message>
        <source>Looking for new and changed photographs…</source>
        <translation>Nach neuen und geänderten Fotos wird gesehen …</translation>
    </message>
    <message>
        <source>Trying again what could not be read…</source>
        <translation>Was nicht gelesen werden konnte, wird noch einmal versucht …</translation>
    </message>
    <message>
        <source>Making the index {0}…</source>
        <translation>Der Index {0} wird aufgebaut …</translation>
    </message>
    <message>
        <source>“{0}” is being added already.</source>
        <translation>„{0}“ wird schon hinzugefügt.</translation>
    </message>
    <message>
        <source>“{0}” comes after “{1}”.</source>
        <translation>„{0}“ kommt nach „{1}“.</translation>
    </message>
    <message>
        <source>Stopped; what is done is kept.</source>
        <translation>Abgebrochen; was getan ist, bleibt.</translation>
    </message>
    <message numerus="yes">
        <source>%n new photograph(s)</source>
        <translation>
            <numerusform>%n neues Foto</numerusform>
            <numerusform>%n neue Fotos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n geändert</numerusform>
            <numerusform>%n geändert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n moved</source>
        <translation>
            <numerusform>%n verschoben</numerusform>
            <numerusform>%n verschoben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n fehlt</numerusform>
            <numerusform>%n fehlen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be read</source>
        <translation>
            <numerusform>%n Datei konnte nicht gelesen werden</numerusform>
            <numerusform>%n Dateien konnten nicht gelesen werden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still to be added</source>
        <translation>
            <numerusform>%n noch hinzuzufügen</numerusform>
            <numerusform>%n noch hinzuzufügen</numerusform>
        </translation>
    </message>
    <message>
        <source>stopped, what is done is kept</source>
        <translation>abgebrochen, was getan ist, bleibt</translation>
    </message>
    <message>
        <source>{0} of {1} can be read now.</source>
        <translation>{0} von {1} können jetzt gelesen werden.</translation>
    </message>
    <message>
        <source>The index {0} is ready.</source>
        <translation>Der Index {0} ist fertig.</translation>
    </message>
</context>
<context>
    <name>Advice</name>
    <message>
        <source>For my library</source>
        <translation>Meine Bibliothek</translation>
    </message>
    <message>
        <source>Right is what finds the original of an edited copy</source>
        <translation>Richtig ist, was zu einer bearbeiteten Kopie das Original findet</translation>
    </message>
    <message>
        <source>For pairs that I say</source>
        <translation>Eigene Paare</translation>
    </message>
    <message>
        <source>Right is what finds the pairs that you say</source>
        <translation>Richtig ist, was die Paare findet, die Sie nennen</translation>
    </message>
    <message>
        <source>For neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <source>Right is what finds the same as exact search</source>
        <translation>Richtig ist, was dasselbe findet wie die genaue Suche</translation>
    </message>
    <message>
        <source>Up to 20 of your photographs are cropped, turned, recoloured and captioned in memory: each copy should find its original.</source>
        <translation>Bis zu 20 Ihrer Fotos werden im Speicher beschnitten, gedreht, umgefärbt und beschriftet: Jede Kopie soll ihr Original finden.</translation>
    </message>
    <message>
        <source>Each photograph of a pair asks for the other: say below which should match.</source>
        <translation>Jedes Foto eines Paares fragt nach dem anderen: Unten sagen, welche zusammengehören.</translation>
    </message>
    <message>
        <source>100 of your photographs ask for what exact search would find.</source>
        <translation>100 Ihrer Fotos fragen nach dem, was die genaue Suche fände.</translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation>Genaue Suche</translation>
    </message>
    <message>
        <source>{0} with {1}</source>
        <translation>{0} mit {1}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>edited copies</source>
        <translation>bearbeiteten Kopien</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <comment>what it compares</comment>
        <translation>{0} ({1})</translation>
    </message>
    <message>
        <source>of the photographs that should match</source>
        <translation>der Fotos, die zusammengehören</translation>
    </message>
    <message>
        <source>of the photographs marked as similar</source>
        <translation>der als ähnlich markierten Fotos</translation>
    </message>
    <message>
        <source>of the true nearest neighbours</source>
        <translation>der wahren nächsten Nachbarn</translation>
    </message>
    <message>
        <source>{0} finds {1} {2}, answers in {3}, {4} each</source>
        <translation>{0} findet {1} {2}, antwortet in {3}, je Foto {4}</translation>
    </message>
    <message>
        <source>{0}: it is your present index.</source>
        <translation>{0}: Das ist Ihr jetziger Index.</translation>
    </message>
    <message>
        <source>your present index finds as many, in {0}.</source>
        <translation>Ihr jetziger Index findet ebenso viele, in {0}.</translation>
    </message>
    <message>
        <source>your present index finds {0}.</source>
        <translation>Ihr jetziger Index findet {0}.</translation>
    </message>
    <message>
        <source>So far</source>
        <translation>Bis jetzt</translation>
    </message>
    <message>
        <source>Proposed</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>No change needed</source>
        <translation>Keine Änderung nötig</translation>
    </message>
    <message>
        <source>Chosen instead</source>
        <translation>Stattdessen gewählt</translation>
    </message>
    <message>
        <source>The library has it: “{0}”.</source>
        <translation>Die Bibliothek hat ihn: „{0}“.</translation>
    </message>
    <message>
        <source>It answers now.</source>
        <translation>Er antwortet jetzt.</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>empfohlen</translation>
    </message>
    <message>
        <source>answers now</source>
        <translation>antwortet jetzt</translation>
    </message>
    <message>
        <source>exact search</source>
        <translation>genaue Suche</translation>
    </message>
    <message>
        <source>; and {0} more</source>
        <translation>; und {0} weitere</translation>
    </message>
    <message>
        <source>No time for {0}.</source>
        <translation>Keine Zeit für {0}.</translation>
    </message>
    <message>
        <source>Trying {0}</source>
        <translation>Versucht wird {0}</translation>
    </message>
    <message>
        <source>d MMMM yyyy, HH:mm</source>
        <translation>d. MMMM yyyy, HH:mm</translation>
    </message>
    <message>
        <source>{0} photographs</source>
        <translation>{0} Fotos</translation>
    </message>
    <message>
        <source>{0} questions</source>
        <translation>{0} Fragen</translation>
    </message>
    <message>
        <source>{0} measured in {1} s</source>
        <translation>{0} gemessen in {1} s</translation>
    </message>
    <message>
        <source>stopped before its time</source>
        <translation>vorzeitig abgebrochen</translation>
    </message>
</context>
<context>
    <name>AdviceControl</name>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>Noch ist nichts gemessen.</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>empfohlen</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Stopped before anything was measured.</source>
        <translation>Abgebrochen, bevor etwas gemessen war.</translation>
    </message>
    <message>
        <source>Advice is ready: see the Lab.</source>
        <translation>Die Empfehlung ist fertig: siehe Labor.</translation>
    </message>
    <message>
        <source>Say first which photographs should match: at least one pair.</source>
        <translation>Erst sagen, welche Fotos zusammengehören: mindestens ein Paar.</translation>
    </message>
    <message numerus="yes">
        <source>Since then the library has grown by %n photograph(s): ask again.</source>
        <translation>
            <numerusform>Seither ist %n Foto dazugekommen: noch einmal fragen.</numerusform>
            <numerusform>Seither sind %n Fotos dazugekommen: noch einmal fragen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Since then the library has %n photograph(s) less: ask again.</source>
        <translation>
            <numerusform>Seither ist %n Foto weniger da: noch einmal fragen.</numerusform>
            <numerusform>Seither sind %n Fotos weniger da: noch einmal fragen.</numerusform>
        </translation>
    </message>
    <message>
        <source>The command is copied.</source>
        <translation>Der Befehl ist kopiert.</translation>
    </message>
</context>
<context>
    <name>AdviceModel</name>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Compares</source>
        <translation>Vergleicht</translation>
    </message>
    <message>
        <source>Finds</source>
        <translation>Findet</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>Falsch</translation>
    </message>
    <message>
        <source>Of exact</source>
        <translation>Wie genau</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>Je Foto</translation>
    </message>
    <message>
        <source>At ten times</source>
        <translation>Bei 10-mal</translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) were asked</source>
        <translation>
            <numerusform>%n Frage wurde gestellt</numerusform>
            <numerusform>%n Fragen wurden gestellt</numerusform>
        </translation>
    </message>
    <message>
        <source>Click to choose this one</source>
        <translation>Klick wählt diesen</translation>
    </message>
</context>
<context>
    <name>AdviceRun</name>
    <message>
        <source>stopping…</source>
        <translation>hält an …</translation>
    </message>
    <message numerus="yes">
        <source>%n measured</source>
        <translation>
            <numerusform>%n gemessen</numerusform>
            <numerusform>%n gemessen</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>noch {0}</translation>
    </message>
    <message>
        <source>any moment now</source>
        <translation>gleich fertig</translation>
    </message>
</context>
<context>
    <name>AdviceTable</name>
    <message>
        <source>What was tried</source>
        <translation>Was versucht wurde</translation>
    </message>
</context>
<context>
    <name>AdviceView</name>
    <message>
        <source>Advice</source>
        <translation>Empfehlung</translation>
    </message>
    <message>
        <source>What was tried</source>
        <translation>Was versucht wurde</translation>
    </message>
    <message>
        <source>Indexes are measured on your own photographs; the library has none yet.</source>
        <translation>Indexe werden an Ihren eigenen Fotos gemessen; die Bibliothek hat noch keine.</translation>
    </message>
    <message>
        <source>Go to the library  L</source>
        <translation>Zur Bibliothek  L</translation>
    </message>
    <message numerus="yes">
        <source>Advice needs %n photographs or more: among so few, any index finds everything.</source>
        <translation>
            <numerusform>Eine Empfehlung braucht mindestens %n Foto: Unter so wenigen findet jeder Index alles.</numerusform>
            <numerusform>Eine Empfehlung braucht mindestens %n Fotos: Unter so wenigen findet jeder Index alles.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add photographs  L</source>
        <translation>Fotos hinzufügen  L</translation>
    </message>
    <message>
        <source>Click to choose this one</source>
        <translation>Klick wählt diesen</translation>
    </message>
    <message>
        <source>Indexes are measured here on your own photographs, and the best of them is proposed.</source>
        <translation>Hier werden Indexe an Ihren eigenen Fotos gemessen, und der beste wird empfohlen.</translation>
    </message>
    <message>
        <source>An index is what finds look-alikes: what is compared, how short its codes are, how they are searched.</source>
        <translation>Ein Index findet Ähnliche: Er legt fest, was verglichen wird, wie kurz die Codes sind und wie sie durchsucht werden.</translation>
    </message>
    <message>
        <source>Measuring changes nothing in your library, and no file of yours is written to.</source>
        <translation>Das Messen ändert nichts in Ihrer Bibliothek und schreibt in keine Ihrer Dateien.</translation>
    </message>
    <message>
        <source>Press Go: what is measured comes here.</source>
        <translation>Los drücken: Was gemessen ist, kommt hierher.</translation>
    </message>
    <message>
        <source>Recall against time</source>
        <translation>Recall gegen Zeit</translation>
    </message>
    <message>
        <source>Recall against bytes</source>
        <translation>Recall gegen Bytes</translation>
    </message>
    <message>
        <source>So far</source>
        <translation>Bis jetzt</translation>
    </message>
</context>
<context>
    <name>AnswerCard</name>
    <message>
        <source>Build it  B</source>
        <translation>Anlegen  B</translation>
    </message>
    <message>
        <source>Make this index, while you go on</source>
        <translation>Diesen Index anlegen, während Sie weitermachen</translation>
    </message>
    <message>
        <source>Make it the default  U</source>
        <translation>Üblich machen  U</translation>
    </message>
    <message>
        <source>Search with it from now on</source>
        <translation>Von jetzt an damit suchen</translation>
    </message>
    <message>
        <source>Compare side by side  C</source>
        <translation>Nebeneinander  C</translation>
    </message>
    <message>
        <source>Show beside your present index what it finds</source>
        <translation>Neben Ihrem jetzigen Index zeigen, was er findet</translation>
    </message>
    <message>
        <source>Back to the proposal  R</source>
        <translation>Zur Empfehlung  R</translation>
    </message>
    <message>
        <source>Show what is proposed again</source>
        <translation>Wieder zeigen, was empfohlen ist</translation>
    </message>
    <message>
        <source>Name  F2</source>
        <translation>Name  F2</translation>
    </message>
    <message>
        <source>Name of the index</source>
        <translation>Name des Index</translation>
    </message>
    <message>
        <source>The name that it gets; Enter builds it (F2)</source>
        <translation>Der Name, den er bekommt; Enter baut ihn (F2)</translation>
    </message>
    <message>
        <source>There is an index of this name already.</source>
        <translation>Einen Index dieses Namens gibt es schon.</translation>
    </message>
</context>
<context>
    <name>AskingHead</name>
    <message>
        <source>Which index should I use?</source>
        <translation>Welchen Index soll ich nehmen?</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} s</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} min</translation>
    </message>
    <message>
        <source>Take {0}</source>
        <translation>{0} nehmen</translation>
    </message>
    <message>
        <source>Seconds that may be spent</source>
        <translation>Sekunden, die es dauern darf</translation>
    </message>
    <message>
        <source>Your own time, in seconds (7)</source>
        <translation>Eigene Zeit, in Sekunden (7)</translation>
    </message>
    <message>
        <source>Go  G</source>
        <translation>Los  G</translation>
    </message>
    <message>
        <source>Measure indexes for so long, and propose one</source>
        <translation>So lange Indexe messen und einen empfehlen</translation>
    </message>
    <message>
        <source>Cancel  Esc</source>
        <translation>Abbrechen  Esc</translation>
    </message>
    <message>
        <source>Stop; what is known gives the answer</source>
        <translation>Abbrechen; was bekannt ist, gibt die Antwort</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>s  7</source>
        <translation>s  7</translation>
    </message>
</context>
<context>
    <name>Card</name>
    <message>
        <source>The photograph under the pointer</source>
        <translation>Das Foto unter dem Zeiger</translation>
    </message>
</context>
<context>
    <name>Chart</name>
    <message>
        <source>Copy or save this chart (X)</source>
        <translation>Dieses Diagramm kopieren oder speichern (X)</translation>
    </message>
    <message>
        <source>Copy or save this chart</source>
        <translation>Dieses Diagramm kopieren oder speichern</translation>
    </message>
    <message>
        <source>Copy as a picture</source>
        <translation>Als Bild kopieren</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>Als PNG speichern …</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>Als SVG speichern …</translation>
    </message>
    <message>
        <source>Save the points as CSV…</source>
        <translation>Punkte als CSV speichern …</translation>
    </message>
    <message>
        <source>Show all of it (double click)</source>
        <translation>Alles zeigen (Doppelklick)</translation>
    </message>
</context>
<context>
    <name>CheckBar</name>
    <message>
        <source>show them first</source>
        <translation>zuerst zeigen</translation>
    </message>
    <message>
        <source>Put the confirmed photographs before the others</source>
        <translation>Bestätigte Fotos vor die anderen stellen</translation>
    </message>
    <message>
        <source>check matches</source>
        <translation>Treffer prüfen</translation>
    </message>
    <message>
        <source>Check the first results point by point</source>
        <translation>Die ersten Treffer Punkt für Punkt prüfen</translation>
    </message>
    <message>
        <source>Compare the first results with what was asked, point by point: those that show the same picture are marked and come first ({key})</source>
        <translation>Die ersten Treffer Punkt für Punkt mit dem Gefragten vergleichen: Die dasselbe Bild zeigen, werden markiert und kommen zuerst ({key})</translation>
    </message>
    <message>
        <source>only confirmed · {0}</source>
        <translation>nur bestätigte · {0}</translation>
    </message>
    <message>
        <source>Show only what is confirmed to show the same picture ({key})</source>
        <translation>Nur zeigen, was bestätigt dasselbe Bild zeigt ({key})</translation>
    </message>
</context>
<context>
    <name>CheckCard</name>
    <message>
        <source>Check the library</source>
        <translation>Bibliothek prüfen</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>Reparieren</translation>
    </message>
    <message>
        <source>Repair what can be repaired</source>
        <translation>Reparieren, was repariert werden kann</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop checking</source>
        <translation>Prüfung abbrechen</translation>
    </message>
    <message>
        <source>Twinlens reads everything it has stored and finds what is damaged.</source>
        <translation>Twinlens liest alles Gespeicherte und findet, was beschädigt ist.</translation>
    </message>
    <message numerus="yes">
        <source>Damage found: %n</source>
        <translation>
            <numerusform>Schäden gefunden: %n</numerusform>
            <numerusform>Schäden gefunden: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Repaired. The library as it was before is kept in {0}.</source>
        <translation>Repariert. Die Bibliothek von vorher liegt in {0}.</translation>
    </message>
    <message>
        <source>The library is whole.</source>
        <translation>Die Bibliothek ist unbeschädigt.</translation>
    </message>
    <message numerus="yes">
        <source>Rows without a checksum yet: %n. A rescan protects them.</source>
        <translation>
            <numerusform>Zeilen noch ohne Prüfsumme: %n. Erneutes Durchsehen schützt sie.</numerusform>
            <numerusform>Zeilen noch ohne Prüfsumme: %n. Erneutes Durchsehen schützt sie.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CheckControl</name>
    <message>
        <source>Checking which show the same picture …</source>
        <translation>Es wird geprüft, welche dasselbe Bild zeigen …</translation>
    </message>
</context>
<context>
    <name>ChoiceList</name>
    <message>
        <source>Type to find</source>
        <translation>Tippen zum Suchen</translation>
    </message>
    <message>
        <source>Find in the list</source>
        <translation>In der Liste suchen</translation>
    </message>
</context>
<context>
    <name>CodeBits</name>
    <message>
        <source>{differing} of {total} bits differ</source>
        <translation>{differing} von {total} Bit verschieden</translation>
    </message>
    <message>
        <source>Bit {bit} differs</source>
        <translation>Bit {bit} ist verschieden</translation>
    </message>
    <message>
        <source>Bit {bit} agrees</source>
        <translation>Bit {bit} ist gleich</translation>
    </message>
</context>
<context>
    <name>ColourChooser</name>
    <message>
        <source>The chosen colour, by its code or its English name</source>
        <translation>Die gewählte Farbe, mit ihrem Code oder ihrem englischen Namen</translation>
    </message>
    <message>
        <source>A code such as #c33 or a name such as navy; Enter takes it</source>
        <translation>Ein Code wie #c33 oder ein englischer Name wie navy; Eingabe übernimmt ihn</translation>
    </message>
    <message>
        <source>From the photograph</source>
        <translation>Aus dem Foto</translation>
    </message>
    <message>
        <source>Press a place to take its colour</source>
        <translation>Auf eine Stelle drücken, um ihre Farbe zu nehmen</translation>
    </message>
    <message>
        <source>take them all</source>
        <translation>alle nehmen</translation>
    </message>
    <message>
        <source>Make the palette of the photograph&apos;s main colours</source>
        <translation>Die Palette aus den Hauptfarben des Fotos machen</translation>
    </message>
    <message>
        <source>That is no colour: #c33 is one, and navy.</source>
        <translation>Das ist keine Farbe: #c33 ist eine, und navy.</translation>
    </message>
</context>
<context>
    <name>ColourExamples</name>
    <message>
        <source>Sketch</source>
        <translation>Skizze</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>Palette</translation>
    </message>
</context>
<context>
    <name>ColourField</name>
    <message>
        <source>Hue</source>
        <translation>Farbton</translation>
    </message>
</context>
<context>
    <name>ColourOverlay</name>
    <message>
        <source>Colours of both pictures, over each other</source>
        <translation>Die Farben beider Bilder übereinander</translation>
    </message>
    <message>
        <source>Above the line: what was asked. Below: this photograph. Full: both have it; pale: only one has.</source>
        <translation>Über der Linie: das Gesuchte. Darunter: dieses Foto. Voll: beide haben sie; blass: nur eines.</translation>
    </message>
</context>
<context>
    <name>ColoursControl</name>
    <message>
        <source>No index compares colours alone.</source>
        <translation>Kein Index vergleicht allein nach Farben.</translation>
    </message>
    <message>
        <source>**{index}** answers: {own} compares other things than colours.</source>
        <translation>**{index}** antwortet: {own} vergleicht anderes als Farben.</translation>
    </message>
</context>
<context>
    <name>ColoursPanel</name>
    <message>
        <source>Ask with colours</source>
        <translation>Mit Farben fragen</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>entfernen</translation>
    </message>
    <message>
        <source>Take the chosen colour out of the palette (Del)</source>
        <translation>Die gewählte Farbe aus der Palette nehmen (Entf)</translation>
    </message>
    <message>
        <source>make an index of colours</source>
        <translation>Index der Farben anlegen</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>Palette</translation>
    </message>
    <message>
        <source>Which colours, wherever they are</source>
        <translation>Welche Farben, gleich wo</translation>
    </message>
    <message>
        <source>Sketch</source>
        <translation>Skizze</translation>
    </message>
    <message>
        <source>Which colour is where</source>
        <translation>Welche Farbe wo ist</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Photographs are found that have these colours in these places</source>
        <translation>Gefunden werden Fotos, die diese Farben an diesen Stellen haben</translation>
    </message>
    <message>
        <source>Photographs are found that have these colours, wherever they are</source>
        <translation>Gefunden werden Fotos, die diese Farben haben, gleich wo</translation>
    </message>
    <message>
        <source>Eight colours are the most</source>
        <translation>Acht Farben sind das Höchste</translation>
    </message>
    <message>
        <source>Drag the edges to change how much of each</source>
        <translation>An den Rändern ziehen, um die Anteile zu ändern</translation>
    </message>
</context>
<context>
    <name>ColumnHeaders</name>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>looked at</source>
        <translation>angesehen</translation>
    </message>
    <message>
        <source>overlap@{k}</source>
        <translation>gleich@{k}</translation>
    </message>
    <message>
        <source>per photo</source>
        <translation>je Foto</translation>
    </message>
    <message>
        <source>measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>encode</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>scan</source>
        <translation>Scan</translation>
    </message>
    <message>
        <source>re-rank</source>
        <translation>Ordnen</translation>
    </message>
    <message>
        <source>not kept · {text}</source>
        <translation>nicht bewahrt · {text}</translation>
    </message>
    <message>
        <source>{steps} ms</source>
        <translation>{steps} ms</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>measures every photograph</source>
        <translation>misst jedes Foto</translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>wartet, bis es dran ist</translation>
    </message>
    <message>
        <source>Exact · {measure}</source>
        <translation>Genau · {measure}</translation>
    </message>
    <message>
        <source>true {rank}</source>
        <translation>wahr {rank}</translation>
    </message>
    <message>
        <source>missed, truly {rank}</source>
        <translation>verfehlt {rank}</translation>
    </message>
    <message>
        <source>asked</source>
        <translation>gefragt</translation>
    </message>
    <message>
        <source>truly {rank}</source>
        <translation>wahr {rank}</translation>
    </message>
    <message>
        <source>Missed: {name}, truly {rank}</source>
        <translation>Verfehlt: {name}, wahrer Rang {rank}</translation>
    </message>
    <message>
        <source>{rank}: {name}</source>
        <translation>{rank}: {name}</translation>
    </message>
    <message>
        <source>, what was asked with</source>
        <translation>, womit gefragt wurde</translation>
    </message>
    <message>
        <source>, exact search has it too</source>
        <translation>, auch die genaue Suche hat es</translation>
    </message>
    <message>
        <source>, truly {rank}</source>
        <translation>, wahrer Rang {rank}</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Write the comparison as</source>
        <translation>Den Vergleich schreiben als</translation>
    </message>
    <message>
        <source>{0} cannot be written.</source>
        <translation>{0} kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>Einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>Written to {0}</source>
        <translation>Geschrieben nach {0}</translation>
    </message>
    <message>
        <source>in {folder}</source>
        <translation>in {folder}</translation>
    </message>
    <message>
        <source>of {date}</source>
        <translation>von {date}</translation>
    </message>
    <message>
        <source>from {since} to {until}</source>
        <translation>von {since} bis {until}</translation>
    </message>
    <message>
        <source>since {date}</source>
        <translation>seit {date}</translation>
    </message>
    <message>
        <source>until {date}</source>
        <translation>bis {date}</translation>
    </message>
    <message>
        <source>by {camera}</source>
        <translation>mit {camera}</translation>
    </message>
    <message>
        <source>landscape</source>
        <translation>im Querformat</translation>
    </message>
    <message>
        <source>portrait</source>
        <translation>im Hochformat</translation>
    </message>
    <message>
        <source>square</source>
        <translation>im Quadrat</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>markiert</translation>
    </message>
    <message>
        <source>marked similar</source>
        <translation>als ähnlich markiert</translation>
    </message>
    <message>
        <source>marked different</source>
        <translation>als verschieden markiert</translation>
    </message>
</context>
<context>
    <name>CompareBoard</name>
    <message>
        <source>No photograph fits what you chose.</source>
        <translation>Kein Foto passt zu dem, was Sie gewählt haben.</translation>
    </message>
</context>
<context>
    <name>CompareControl</name>
    <message>
        <source>Choose a photograph and press C to compare indexes by it.</source>
        <translation>Ein Foto wählen und C drücken, um Indexe an ihm zu vergleichen.</translation>
    </message>
    <message>
        <source>This column is there already.</source>
        <translation>Diese Spalte ist schon da.</translation>
    </message>
    <message>
        <source>Six columns are as many as can be seen; take one away first.</source>
        <translation>Mehr als sechs Spalten sind nicht zu überblicken; nehmen Sie erst eine weg.</translation>
    </message>
    <message>
        <source>The column is taken away; Ctrl+Z brings it back.</source>
        <translation>Die Spalte ist weggenommen; Strg+Z holt sie zurück.</translation>
    </message>
    <message>
        <source>The library keeps this already.</source>
        <translation>Die Bibliothek hat das schon.</translation>
    </message>
</context>
<context>
    <name>CompareFoot</name>
    <message>
        <source>{0} photographs</source>
        <translation>{0} Fotos</translation>
    </message>
    <message>
        <source>{0} of {1} photographs</source>
        <translation>{0} von {1} Fotos</translation>
    </message>
    <message>
        <source>{0} codes at {1} places of lists</source>
        <translation>{0} Codes an {1} Listenplätzen</translation>
    </message>
    <message>
        <source>{0} codes of {1} buckets</source>
        <translation>{0} Codes aus {1} Fächern</translation>
    </message>
    <message>
        <source>{0} codes compared</source>
        <translation>{0} Codes verglichen</translation>
    </message>
    <message>
        <source>{0} measured exactly</source>
        <translation>{0} genau gemessen</translation>
    </message>
    <message>
        <source>{0} of the true first {1}, {2} missed</source>
        <translation>{0} der wahren ersten {1}, {2} verfehlt</translation>
    </message>
    <message>
        <source>all of the true first {0}</source>
        <translation>alle der wahren ersten {0}</translation>
    </message>
    <message>
        <source>there is nothing to find</source>
        <translation>es gibt nichts zu finden</translation>
    </message>
    <message>
        <source>Rank {0}, as exact search has it</source>
        <translation>Rang {0}, genau ebenso</translation>
    </message>
    <message>
        <source>Rank {0}, truly {1}</source>
        <translation>Rang {0}, wahrer Rang {1}</translation>
    </message>
    <message>
        <source>Missed, truly {0}</source>
        <translation>Verfehlt, wahrer Rang {0}</translation>
    </message>
    <message>
        <source>Not among the first; truly {0}</source>
        <translation>Nicht unter den ersten; wahrer Rang {0}</translation>
    </message>
    <message>
        <source>Not in this index</source>
        <translation>Nicht in diesem Index</translation>
    </message>
    <message>
        <source>similarity {0} · no code</source>
        <translation>Ähnlichkeit {0} · kein Code</translation>
    </message>
    <message>
        <source>{0} of {1} bits differ</source>
        <translation>{0} von {1} Bit verschieden</translation>
    </message>
    <message>
        <source> ≈ {what} {estimate}</source>
        <translation> ≈ {what} {estimate}</translation>
    </message>
    <message>
        <source> · fewer: more alike</source>
        <translation> · weniger: ähnlicher</translation>
    </message>
    <message>
        <source>similarity {0}</source>
        <translation>Ähnlichkeit {0}</translation>
    </message>
    <message>
        <source> · place {0} by its code</source>
        <translation> · nach dem Code Platz {0}</translation>
    </message>
    <message>
        <source>Missed, true {0}</source>
        <translation>Verfehlt, wahr {0}</translation>
    </message>
    <message>
        <source>Not found, true {0}</source>
        <translation>Nicht gefunden, wahr {0}</translation>
    </message>
    <message>
        <source>Rank {0}, true {1}</source>
        <translation>Rang {0}, wahr {1}</translation>
    </message>
</context>
<context>
    <name>CompareHead</name>
    <message>
        <source>Outlined: exact search has it too. Ghosts: missed. Orange: the photograph under the pointer, wherever it ranks.</source>
        <translation>Umrandet: Auch die genaue Suche hat es. Blass: verfehlt. Orange: das Foto unter dem Zeiger, wo es auch steht.</translation>
    </message>
    <message>
        <source>show all</source>
        <translation>alle zeigen</translation>
    </message>
    <message>
        <source>Find in all photographs again</source>
        <translation>Wieder in allen Fotos suchen</translation>
    </message>
    <message>
        <source>Find in all photographs again (Shift+F)</source>
        <translation>Wieder in allen Fotos suchen (Umschalt+F)</translation>
    </message>
    <message>
        <source>How many each finds</source>
        <translation>Wie viele jeder findet</translation>
    </message>
    <message>
        <source>How many each finds (M for more, Shift+M for fewer)</source>
        <translation>Wie viele jeder findet (M für mehr, Umschalt+M für weniger)</translation>
    </message>
    <message>
        <source>first {k}</source>
        <translation>erste {k}</translation>
    </message>
    <message>
        <source>What exact means</source>
        <translation>Was genau heißt</translation>
    </message>
    <message>
        <source>What every column is held against (R for the next)</source>
        <translation>Woran jede Spalte gemessen wird (R für das Nächste)</translation>
    </message>
    <message>
        <source>Back to the photograph before</source>
        <translation>Zurück zum vorigen Foto</translation>
    </message>
    <message>
        <source>Forward to the next photograph</source>
        <translation>Vor zum nächsten Foto</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Folders and filters</source>
        <translation>Ordner und Filter</translation>
    </message>
    <message>
        <source>Add a column</source>
        <translation>Spalte hinzufügen</translation>
    </message>
    <message>
        <source>Ask with another photograph of the library, by chance</source>
        <translation>Mit einem anderen Foto der Bibliothek fragen, zufällig gewählt</translation>
    </message>
    <message>
        <source>Export picture or numbers</source>
        <translation>Bild oder Zahlen ausgeben</translation>
    </message>
    <message>
        <source>+ column</source>
        <translation>+ Spalte</translation>
    </message>
    <message>
        <source>⇄ another</source>
        <translation>⇄ anderes</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Ausgeben</translation>
    </message>
    <message numerus="yes">
        <source>One photograph, %n index(es)</source>
        <translation>
            <numerusform>Ein Foto, %n Index</numerusform>
            <numerusform>Ein Foto, %n Indexe</numerusform>
        </translation>
    </message>
    <message>
        <source>own exact</source>
        <translation>eigenes Genau</translation>
    </message>
    <message>
        <source>exact as in {name}</source>
        <translation>genau wie {name}</translation>
    </message>
    <message>
        <source>Only photographs {narrowed}</source>
        <translation>Nur Fotos {narrowed}</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Pictures of all columns</source>
        <translation>Bilder aller Spalten</translation>
    </message>
    <message>
        <source>Ask one photograph of several indexes at once, and see what each finds and what it misses.</source>
        <translation>Mit einem Foto mehrere Indexe zugleich fragen und sehen, was jeder findet und was er verfehlt.</translation>
    </message>
    <message>
        <source>Ask with a photograph</source>
        <translation>Mit einem Foto fragen</translation>
    </message>
    <message>
        <source>Picture (PNG)…</source>
        <translation>Bild (PNG) …</translation>
    </message>
    <message>
        <source>Numbers (CSV)…</source>
        <translation>Zahlen (CSV) …</translation>
    </message>
    <message>
        <source>Everything (JSON)…</source>
        <translation>Alles (JSON) …</translation>
    </message>
    <message>
        <source>Change its parameters…</source>
        <translation>Parameter ändern …</translation>
    </message>
    <message>
        <source>Keep as an index of the library</source>
        <translation>Als Index der Bibliothek behalten</translation>
    </message>
    <message>
        <source>Search with it</source>
        <translation>Damit suchen</translation>
    </message>
    <message>
        <source>Hold each against its own exact</source>
        <translation>Jede an ihrem eigenen Genauen messen</translation>
    </message>
    <message>
        <source>Hold all against it</source>
        <translation>Alle daran messen</translation>
    </message>
    <message>
        <source>Let it go from the left</source>
        <translation>Links lösen</translation>
    </message>
    <message>
        <source>Pin to the left</source>
        <translation>Links anheften</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>Nach links</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>Nach rechts</translation>
    </message>
    <message>
        <source>Take it away</source>
        <translation>Wegnehmen</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Twinlens made a mistake</source>
        <translation>Twinlens hat einen Fehler gemacht</translation>
    </message>
    <message>
        <source>Your photographs and your library are not harmed, and you can go on. If it happens again, please report it with the text below; it also stands in {log}.</source>
        <translation>Ihre Fotos und Ihre Bibliothek sind unversehrt, und Sie können weitermachen. Wenn es wieder geschieht, melden Sie es bitte mit dem Text unten; er steht auch in {log}.</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>Was schiefging</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>Den Text kopieren</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Close this and go on</source>
        <translation>Dies schließen und weitermachen</translation>
    </message>
</context>
<context>
    <name>CropOverlay</name>
    <message>
        <source>Choose a part of the picture</source>
        <translation>Einen Ausschnitt des Bildes wählen</translation>
    </message>
    <message>
        <source>From {left} % to {right} % of the width, from {top} % to {bottom} % of the height</source>
        <translation>Von {left} % bis {right} % der Breite, von {top} % bis {bottom} % der Höhe</translation>
    </message>
    <message>
        <source>Drag a rectangle around what you look for.   Enter takes it   ·   Esc leaves</source>
        <translation>Ziehen Sie ein Rechteck um das, was Sie suchen.   Eingabe übernimmt   ·   Esc bricht ab</translation>
    </message>
</context>
<context>
    <name>DatePopup</name>
    <message>
        <source>Dates</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>From date</source>
        <translation>Von Datum</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>To date</source>
        <translation>Bis Datum</translation>
    </message>
    <message>
        <source>The year {year}</source>
        <translation>Das Jahr {year}</translation>
    </message>
    <message>
        <source>Any date</source>
        <translation>Jedes Datum</translation>
    </message>
    <message>
        <source>Narrow down</source>
        <translation>Eingrenzen</translation>
    </message>
    <message>
        <source>Take these dates</source>
        <translation>Diesen Zeitraum übernehmen</translation>
    </message>
    <message>
        <source>A year, a month or a day: 2023, 2023-05, 2023-05-14</source>
        <translation>Ein Jahr, ein Monat oder ein Tag: 2023, 2023-05, 2023-05-14</translation>
    </message>
    <message>
        <source>**{date}** is no date yet: write 2023, 2023-05 or 2023-05-14</source>
        <translation>**{date}** ist noch kein Datum: schreiben Sie 2023, 2023-05 oder 2023-05-14</translation>
    </message>
</context>
<context>
    <name>DeclarationForm</name>
    <message>
        <source>As text</source>
        <translation>Als Text</translation>
    </message>
    <message>
        <source>The text form, as the command line and experiment files take it</source>
        <translation>Die Textform, wie die Befehlszeile und Experimentdateien sie nehmen</translation>
    </message>
</context>
<context>
    <name>Declarations</name>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>How many photographs are read at the same time. More is faster as long as there are processors for them; “auto” takes one for each.</source>
        <translation>Wie viele Fotos gleichzeitig gelesen werden. Mehr ist schneller, solange es Prozessoren dafür gibt; „Automatisch“ nimmt für jeden einen.</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>worker memory</source>
        <translation>Speicher je Prozess</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>thumbnail cache</source>
        <translation>Vorschaubilder</translation>
    </message>
    <message>
        <source>How much space the thumbnails of one library may take: about 12 MB for a thousand photographs. Beyond it the oldest go, and are made again from the photographs when they are shown.</source>
        <translation>Wie viel Platz die Vorschaubilder einer Bibliothek nehmen dürfen: etwa 12 MB für tausend Fotos. Darüber hinaus gehen die ältesten und werden wieder gemacht, wenn man sie ansieht.</translation>
    </message>
    <message>
        <source>desktop thumbnails</source>
        <translation>Vorschaubilder des Desktops</translation>
    </message>
    <message>
        <source>What is done with the thumbnails that file managers keep on Linux. “use”: a photograph that has one there is shown with it, and none is kept for it twice. “share”: besides, photographs that are read leave one there for file managers, which takes five times the space and a little longer. “off”: they are left alone.</source>
        <translation>Was mit den Vorschaubildern geschieht, die Dateiverwaltungen unter Linux aufbewahren. „verwenden“: Ein Foto, das dort eines hat, wird damit gezeigt, und es wird kein zweites aufbewahrt. „teilen“: Außerdem hinterlassen gelesene Fotos dort eines für Dateiverwaltungen, was den fünffachen Platz und etwas mehr Zeit braucht. „aus“: Sie bleiben unberührt.</translation>
    </message>
    <message>
        <source>use</source>
        <translation>verwenden</translation>
    </message>
    <message>
        <source>share</source>
        <translation>teilen</translation>
    </message>
    <message>
        <source>cache folder</source>
        <translation>Ordner dafür</translation>
    </message>
    <message>
        <source>The folder for what can be made again: thumbnails and compiled code. Empty for the usual one. Used from the next start on.</source>
        <translation>Der Ordner für alles, was wieder gemacht werden kann: Vorschaubilder und übersetzter Code. Leer für den üblichen. Gilt vom nächsten Start an.</translation>
    </message>
    <message>
        <source>excludes</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>Names of files and folders that are passed over, besides hidden ones and the like, with spaces or semicolons between them: “*.png; drafts”. Taken into account with the next look through the folders.</source>
        <translation>Namen von Dateien und Ordnern, die übergangen werden, außer versteckten und dergleichen, mit Leerzeichen oder Strichpunkten dazwischen: „*.png; Entwürfe“. Gilt beim nächsten Gang durch die Ordner.</translation>
    </message>
    <message>
        <source>language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>The language of the window.</source>
        <translation>Die Sprache des Fensters.</translation>
    </message>
    <message>
        <source>system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>pause on battery</source>
        <translation>auf Batterie pausieren</translation>
    </message>
    <message>
        <source>Whether adding photographs and looking through folders rests while the computer runs on its battery. It goes on by itself when it is plugged in.</source>
        <translation>Ob das Aufnehmen von Fotos und das Durchsehen von Ordnern ruht, solange der Rechner auf Batterie läuft. Am Netz geht es von selbst weiter.</translation>
    </message>
    <message>
        <source>rescan on start</source>
        <translation>Beim Start nachsehen</translation>
    </message>
    <message>
        <source>Whether to look for new and changed photographs in all folders when the program starts.</source>
        <translation>Ob beim Start in allen Ordnern nach neuen und geänderten Fotos gesehen wird.</translation>
    </message>
    <message>
        <source>Colour histogram</source>
        <translation>Farbhistogramm</translation>
    </message>
    <message>
        <source>Compares how much of each colour there is and roughly where: the quickest look, whatever the picture shows.</source>
        <translation>Vergleicht, wie viel von jeder Farbe da ist und ungefähr wo: der schnellste Blick, was das Bild auch zeigt.</translation>
    </message>
    <message>
        <source>colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>hue</source>
        <translation>Farbton</translation>
    </message>
    <message>
        <source>Bins around the colour circle; more tell similar colours apart.</source>
        <translation>Fächer rund um den Farbkreis; mehr unterscheiden ähnliche Farben.</translation>
    </message>
    <message>
        <source>saturation</source>
        <translation>Sättigung</translation>
    </message>
    <message>
        <source>Bins from pale to pure.</source>
        <translation>Fächer von blass bis rein.</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Helligkeit</translation>
    </message>
    <message>
        <source>Bins from dark to bright, of what has a hue.</source>
        <translation>Fächer von dunkel bis hell für das, was einen Farbton hat.</translation>
    </message>
    <message>
        <source>greys</source>
        <translation>Grautöne</translation>
    </message>
    <message>
        <source>Bins from black to white, of what has no hue.</source>
        <translation>Fächer von schwarz bis weiß für das, was keinen Farbton hat.</translation>
    </message>
    <message>
        <source>levels</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Regions: 1 is the whole picture; 2 adds its four quarters, 3 their quarters too. More tell where a colour is, and lose turned and cropped copies.</source>
        <translation>Bereiche: 1 ist das ganze Bild; 2 nimmt seine vier Viertel dazu, 3 auch deren Viertel. Mehr sagen, wo eine Farbe ist, und verlieren gedrehte und beschnittene Kopien.</translation>
    </message>
    <message>
        <source>Lab histogram</source>
        <translation>Lab-Histogramm</translation>
    </message>
    <message>
        <source>Compares how much of each colour there is and roughly where, with colours as far apart as they look to the eye.</source>
        <translation>Vergleicht, wie viel von jeder Farbe da ist und ungefähr wo, mit Farben so weit auseinander, wie sie dem Auge erscheinen.</translation>
    </message>
    <message>
        <source>colours as they look</source>
        <translation>Farben, wie sie erscheinen</translation>
    </message>
    <message>
        <source>lightness</source>
        <translation>Helligkeit</translation>
    </message>
    <message>
        <source>Bins from black to white.</source>
        <translation>Fächer von schwarz bis weiß.</translation>
    </message>
    <message>
        <source>tints</source>
        <translation>Tönungen</translation>
    </message>
    <message>
        <source>Bins from green to red, and as many from blue to yellow; more tell similar colours apart.</source>
        <translation>Fächer von grün bis rot und ebenso viele von blau bis gelb; mehr unterscheiden ähnliche Farben.</translation>
    </message>
    <message>
        <source>Colour moments</source>
        <translation>Farbmomente</translation>
    </message>
    <message>
        <source>Compares the average colour of each part of a picture, how much it varies there and to which side.</source>
        <translation>Vergleicht die mittlere Farbe jedes Bildteils, wie sehr sie dort schwankt und nach welcher Seite.</translation>
    </message>
    <message>
        <source>average colours and how they vary</source>
        <translation>mittlere Farben und wie sie schwanken</translation>
    </message>
    <message>
        <source>space</source>
        <translation>Farbraum</translation>
    </message>
    <message>
        <source>In which the moments are taken: lab, where colours are as far apart as they look; hsv as in the paper of 1995, where reds lie at both ends of the scale of hues.</source>
        <translation>Worin die Momente genommen werden: Lab, wo Farben so weit auseinander liegen, wie sie erscheinen; HSV wie in der Arbeit von 1995, wo Rottöne an beiden Enden der Farbtonskala liegen.</translation>
    </message>
    <message>
        <source>lab</source>
        <translation>Lab</translation>
    </message>
    <message>
        <source>hsv</source>
        <translation>HSV</translation>
    </message>
    <message>
        <source>grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Regions a side: 1 is the whole picture. More tell where a colour is, and lose crops.</source>
        <translation>Bereiche je Seite: 1 ist das ganze Bild. Mehr sagen, wo eine Farbe ist, und verlieren Ausschnitte.</translation>
    </message>
    <message>
        <source>Colour layout</source>
        <translation>Farbanordnung</translation>
    </message>
    <message>
        <source>Compares which colours are where, as in a tiny blurred image of the picture: in 12 numbers, the smallest of all.</source>
        <translation>Vergleicht, welche Farben wo sind, wie in einem winzigen unscharfen Abbild: in 12 Zahlen, der kleinste von allen.</translation>
    </message>
    <message>
        <source>which colours are where</source>
        <translation>welche Farben wo sind</translation>
    </message>
    <message>
        <source>luma</source>
        <translation>Helle</translation>
    </message>
    <message>
        <source>Numbers for brightness, from coarse to fine; the standard has 3, 6, 10, 15, 21, 28 and 64.</source>
        <translation>Zahlen für die Helligkeit, von grob bis fein; der Standard kennt 3, 6, 10, 15, 21, 28 und 64.</translation>
    </message>
    <message>
        <source>chroma</source>
        <translation>Buntheit</translation>
    </message>
    <message>
        <source>Numbers for each of the two tints, blue and red, likewise.</source>
        <translation>Zahlen für jede der beiden Tönungen, Blau und Rot, ebenso.</translation>
    </message>
    <message>
        <source>Edge histogram</source>
        <translation>Kantenhistogramm</translation>
    </message>
    <message>
        <source>Compares outlines and textures: how many edges run which way in each of 4 x 4 parts of the picture.</source>
        <translation>Vergleicht Umrisse und Texturen: wie viele Kanten in jedem von 4 x 4 Teilen des Bildes in welche Richtung laufen.</translation>
    </message>
    <message>
        <source>outlines and textures</source>
        <translation>Umrisse und Texturen</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Blocks that the picture is cut into; more see finer texture.</source>
        <translation>Blöcke, in die das Bild zerlegt wird; mehr sehen feinere Texturen.</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>How strong an edge must be to count, in levels of brightness; more leaves noise out.</source>
        <translation>Wie stark eine Kante sein muss, um zu zählen, in Helligkeitsstufen; mehr lässt Rauschen weg.</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Add the whole picture, five times as much as a part, and 13 groups of parts: 150 numbers instead of 80, for which an edge that has moved to the next part is less of a difference.</source>
        <translation>Nimmt das ganze Bild hinzu, fünfmal so viel wie ein Teil, und 13 Gruppen von Teilen: 150 Zahlen statt 80, für die eine in den nächsten Teil gerückte Kante weniger ausmacht.</translation>
    </message>
    <message>
        <source>Oriented gradients (HOG)</source>
        <translation>Gradientenrichtungen (HOG)</translation>
    </message>
    <message>
        <source>Compares shapes by which way brightness changes in each part of the picture, as detectors of people do.</source>
        <translation>Vergleicht Formen danach, wohin sich die Helligkeit in jedem Bildteil ändert, wie es Personenerkenner tun.</translation>
    </message>
    <message>
        <source>outlines and their places</source>
        <translation>Umrisse und ihre Orte</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>Zellen</translation>
    </message>
    <message>
        <source>Cells across and down the picture; more tell places apart, and lose cropped copies.</source>
        <translation>Zellen quer und längs; mehr unterscheiden Orte und verlieren beschnittene Kopien.</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Side of a cell; more see finer detail.</source>
        <translation>Seite einer Zelle; mehr sehen feinere Einzelheiten.</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>bins</source>
        <translation>Fächer</translation>
    </message>
    <message>
        <source>Orientations that are told apart.</source>
        <translation>Richtungen, die unterschieden werden.</translation>
    </message>
    <message>
        <source>signed</source>
        <translation>Mit Vorzeichen</translation>
    </message>
    <message>
        <source>Tell dark on bright from bright on dark: orientations over 360 degrees instead of 180.</source>
        <translation>Unterscheidet dunkel auf hell von hell auf dunkel: Richtungen über 360 statt 180 Grad.</translation>
    </message>
    <message>
        <source>block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Cells across and down a block, which is brought to a common contrast; blocks overlap.</source>
        <translation>Zellen quer und längs in einem Block, der auf gemeinsamen Kontrast gebracht wird; Blöcke überlappen.</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>Kappung</translation>
    </message>
    <message>
        <source>What no orientation of a block may exceed (L2-Hys); 1 lets a strong edge outshine all.</source>
        <translation>Was keine Richtung eines Blocks überschreiten darf (L2-Hys); bei 1 überstrahlt eine starke Kante alles.</translation>
    </message>
    <message>
        <source>Scene (GIST)</source>
        <translation>Szene (GIST)</translation>
    </message>
    <message>
        <source>Compares what kind of scene a picture is, by its textures and where they are: open or closed, smooth or rough.</source>
        <translation>Vergleicht, welche Art von Szene ein Bild ist, nach seinen Texturen und ihren Orten: offen oder geschlossen, glatt oder rau.</translation>
    </message>
    <message>
        <source>kinds of scene</source>
        <translation>Arten von Szenen</translation>
    </message>
    <message>
        <source>side</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Side of the square that the picture is brought to; more see finer texture.</source>
        <translation>Seite des Quadrats, auf das das Bild gebracht wird; mehr sehen feinere Texturen.</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Parts across and down the picture; more tell where a texture is, and lose cropped copies.</source>
        <translation>Teile quer und längs; mehr sagen, wo eine Textur ist, und verlieren beschnittene Kopien.</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Look at red, green and blue; otherwise at brightness alone.</source>
        <translation>Rot, Grün und Blau ansehen; sonst nur die Helligkeit.</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Compares pictures pixel by pixel, at a very small size: the plainest look, for pictures taken the same way.</source>
        <translation>Vergleicht Bilder Pixel für Pixel, sehr klein: der schlichteste Blick, für gleich aufgenommene Bilder.</translation>
    </message>
    <message>
        <source>the picture itself, very small</source>
        <translation>das Bild selbst, sehr klein</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Height of the matrix; more sees finer detail.</source>
        <translation>Höhe der Matrix; mehr sieht feinere Einzelheiten.</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Width of the matrix, whatever the picture&apos;s shape.</source>
        <translation>Breite der Matrix, welche Form das Bild auch hat.</translation>
    </message>
    <message>
        <source>Compare the three colour channels instead of the brightness.</source>
        <translation>Die drei Farbkanäle vergleichen statt der Helligkeit.</translation>
    </message>
    <message>
        <source>Bring each channel to mean 0 and variance 1, so that light and contrast make no difference.</source>
        <translation>Jeden Kanal auf Mittel 0 und Varianz 1 bringen, damit Licht und Kontrast nichts ausmachen.</translation>
    </message>
    <message>
        <source>VLAD</source>
        <translation>VLAD</translation>
    </message>
    <message>
        <source>Compares places and objects by what is seen around distinctive points, wherever in the picture they are.</source>
        <translation>Vergleicht Orte und Dinge nach dem, was um auffällige Punkte zu sehen ist, wo im Bild sie auch liegen.</translation>
    </message>
    <message>
        <source>shapes and places</source>
        <translation>Formen und Orte</translation>
    </message>
    <message>
        <source>centres</source>
        <translation>Zentren</translation>
    </message>
    <message>
        <source>Visual words of the vocabulary. More tell pictures apart more finely and take more room and time.</source>
        <translation>Visuelle Wörter des Vokabulars. Mehr unterscheiden Bilder feiner und brauchen mehr Platz und Zeit.</translation>
    </message>
    <message>
        <source>keypoints</source>
        <translation>Merkpunkte</translation>
    </message>
    <message>
        <source>Local features of a picture that count at most, the strongest. More find smaller crops and take time.</source>
        <translation>Wie viele Merkpunkte eines Bildes höchstens zählen, die stärksten. Mehr finden kleinere Ausschnitte und brauchen Zeit.</translation>
    </message>
    <message>
        <source>How evenly those are spread: 0 takes the strongest wherever they are, 1 as many from each part of the picture as it can give.</source>
        <translation>Wie gleichmäßig diese verteilt sind: 0 nimmt die stärksten, wo immer sie sind, 1 aus jedem Teil des Bildes so viele, wie er geben kann.</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>The vocabulary that comes with Twinlens, at once; or one of your own, learned from your photographs.</source>
        <translation>Das mitgelieferte Vokabular, sofort; oder ein eigenes, aus Ihren Fotos gelernt.</translation>
    </message>
    <message>
        <source>ready-made</source>
        <translation>mitgeliefert</translation>
    </message>
    <message>
        <source>own</source>
        <translation>eigenes</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>How many photographs a vocabulary of your own is learned from.</source>
        <translation>Aus wie vielen Fotos ein eigenes Vokabular gelernt wird.</translation>
    </message>
    <message>
        <source>photographs</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Start of the draws in learning a vocabulary of your own: the same seed, the same words.</source>
        <translation>Anfang der Ziehungen beim Lernen eines eigenen Vokabulars: derselbe Startwert, dieselben Wörter.</translation>
    </message>
    <message>
        <source>power</source>
        <translation>Potenz</translation>
    </message>
    <message>
        <source>Power law on the entries: below 1, repeated patterns such as windows count for less.</source>
        <translation>Potenz der Einträge: unter 1 zählen wiederholte Muster, etwa Fenster, weniger.</translation>
    </message>
    <message>
        <source>intra normalisation</source>
        <translation>Innere Normierung</translation>
    </message>
    <message>
        <source>Whether every visual word has the same weight in the whole.</source>
        <translation>Ob jedes visuelle Wort im Ganzen gleich viel zählt.</translation>
    </message>
    <message>
        <source>residual normalisation</source>
        <translation>Normierung der Residuen</translation>
    </message>
    <message>
        <source>Whether every local feature has the same weight in its visual word, however far from it it is.</source>
        <translation>Ob jedes lokale Merkmal in seinem visuellen Wort gleich viel zählt, wie weit es auch davon entfernt ist.</translation>
    </message>
    <message>
        <source>local coordinates</source>
        <translation>lokale Koordinaten</translation>
    </message>
    <message>
        <source>Whether the power law is applied along each visual word&apos;s own principal axes, which are learned from your photographs.</source>
        <translation>Ob das Potenzgesetz entlang der eigenen Hauptachsen jedes visuellen Wortes angewandt wird, die aus Ihren Fotos gelernt werden.</translation>
    </message>
    <message>
        <source>vocabularies</source>
        <translation>Vokabulare</translation>
    </message>
    <message>
        <source>Vocabularies side by side, each of so many centres: what falls between the words of one is told by another. More than one are learned from your photographs, with vocabulary=own.</source>
        <translation>Vokabulare nebeneinander, jedes mit so vielen Zentren: Was zwischen die Wörter des einen fällt, unterscheidet ein anderes. Mehr als eines wird aus Ihren Fotos gelernt, mit vocabulary=own.</translation>
    </message>
    <message>
        <source>Compact VLAD</source>
        <translation>Kompaktes VLAD</translation>
    </message>
    <message>
        <source>Compares places and objects by what is seen around distinctive points, in a few hundred numbers a photograph.</source>
        <translation>Vergleicht Orte und Dinge nach dem, was um auffällige Punkte zu sehen ist, in einigen hundert Zahlen je Foto.</translation>
    </message>
    <message>
        <source>dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>Numbers that are kept of a photograph. More are more exact and take more room.</source>
        <translation>Zahlen, die von einem Foto behalten werden. Mehr sind genauer und brauchen mehr Platz.</translation>
    </message>
    <message>
        <source>whitening</source>
        <translation>Angleichung</translation>
    </message>
    <message>
        <source>How far components of small variance are raised: 0 not at all, 1 to the same variance.</source>
        <translation>Wie weit Komponenten kleiner Varianz angehoben werden: 0 gar nicht, 1 auf gleiche Varianz.</translation>
    </message>
    <message>
        <source>Bag of visual words</source>
        <translation>Menge visueller Wörter</translation>
    </message>
    <message>
        <source>Compares what is to be seen by counting visual words, in the whole picture or part by part.</source>
        <translation>Vergleicht, was zu sehen ist, durch Zählen visueller Wörter, im ganzen Bild oder Teil für Teil.</translation>
    </message>
    <message>
        <source>shapes by their kinds</source>
        <translation>Formen nach ihrer Art</translation>
    </message>
    <message>
        <source>coding</source>
        <translation>Kodierung</translation>
    </message>
    <message>
        <source>hard counts each feature for its nearest word; llc shares it out among the words around it and keeps the largest share of each word.</source>
        <translation>hart zählt jedes Merkmal für sein nächstes Wort; llc teilt es unter den Wörtern ringsum auf und behält von jedem Wort den größten Anteil.</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>hart</translation>
    </message>
    <message>
        <source>llc</source>
        <translation>llc</translation>
    </message>
    <message>
        <source>Among how many words llc shares a feature out.</source>
        <translation>Unter wie vielen Wörtern llc ein Merkmal aufteilt.</translation>
    </message>
    <message>
        <source>How finely places count: 1 not at all, 2 in 2 x 2 parts as well, 3 in 4 x 4 parts, too. More tell scenes apart by their layout and lose copies that are cropped, turned or mirrored.</source>
        <translation>Wie fein Orte zählen: 1 gar nicht, 2 auch in 2 x 2 Teilen, 3 auch in 4 x 4 Teilen. Mehr unterscheiden Szenen nach ihrem Aufbau und verlieren Kopien, die beschnitten, gedreht oder gespiegelt sind.</translation>
    </message>
    <message>
        <source>Pyramid match</source>
        <translation>Pyramidenvergleich</translation>
    </message>
    <message>
        <source>Compares two pictures by how many of their local features match, and how closely.</source>
        <translation>Vergleicht zwei Bilder danach, wie viele ihrer lokalen Merkmale zueinander passen, und wie genau.</translation>
    </message>
    <message>
        <source>shapes that match</source>
        <translation>passende Formen</translation>
    </message>
    <message>
        <source>Visual words of the vocabulary: the finest bins. More tell features apart better and take more room.</source>
        <translation>Visuelle Wörter des Vokabulars: die feinsten Fächer. Mehr unterscheiden Merkmale besser und brauchen mehr Platz.</translation>
    </message>
    <message>
        <source>Levels of bins, each with a quarter of those before; at most until it is one.</source>
        <translation>Ebenen von Fächern, jede mit einem Viertel der vorigen; höchstens bis es eines ist.</translation>
    </message>
    <message>
        <source>decay</source>
        <translation>Abklingen</translation>
    </message>
    <message>
        <source>What a match counts that is found one level later, against one found before; less than the usual half finds copies more surely.</source>
        <translation>Was ein Paar zählt, das eine Ebene später gefunden wird, gegenüber einem früheren; weniger als die übliche Hälfte findet Kopien sicherer.</translation>
    </message>
    <message>
        <source>components</source>
        <translation>Komponenten</translation>
    </message>
    <message>
        <source>Principal components that features are matched in where the exact sparse form is asked for.</source>
        <translation>Hauptkomponenten, in denen Merkmale verglichen werden, wo die genaue dünn besetzte Form verlangt ist.</translation>
    </message>
    <message>
        <source>A network of your own</source>
        <translation>Ein eigenes Netz</translation>
    </message>
    <message>
        <source>Compares what a network of your own makes of pictures: any ONNX file that turns a picture into a vector.</source>
        <translation>Vergleicht, was ein eigenes Netz aus Bildern macht: jede ONNX-Datei, die aus einem Bild einen Vektor macht.</translation>
    </message>
    <message>
        <source>what a network of your own sees</source>
        <translation>was ein eigenes Netz sieht</translation>
    </message>
    <message>
        <source>path</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>The ONNX file, with its weights in it. Its name may hold no comma or parenthesis.</source>
        <translation>Die ONNX-Datei mit ihren Gewichten. Ihr Name darf weder Komma noch Klammer haben.</translation>
    </message>
    <message>
        <source>Width and height of the pictures that it takes.</source>
        <translation>Breite und Höhe der Bilder, die es nimmt.</translation>
    </message>
    <message>
        <source>framing</source>
        <translation>Zuschnitt</translation>
    </message>
    <message>
        <source>How a picture becomes square: crop takes the middle, stretch takes all and changes the shape.</source>
        <translation>Wie ein Bild quadratisch wird: beschneiden nimmt die Mitte, strecken alles und ändert die Form.</translation>
    </message>
    <message>
        <source>crop</source>
        <translation>beschneiden</translation>
    </message>
    <message>
        <source>stretch</source>
        <translation>strecken</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Order of the colours: rgb, or bgr as Caffe had it.</source>
        <translation>Reihenfolge der Farben: RGB, oder BGR wie bei Caffe.</translation>
    </message>
    <message>
        <source>rgb</source>
        <translation>RGB</translation>
    </message>
    <message>
        <source>bgr</source>
        <translation>BGR</translation>
    </message>
    <message>
        <source>mean red</source>
        <translation>Mittel Rot</translation>
    </message>
    <message>
        <source>Taken from red, which is 0 to 1.</source>
        <translation>Wird von Rot abgezogen, das von 0 bis 1 reicht.</translation>
    </message>
    <message>
        <source>mean green</source>
        <translation>Mittel Grün</translation>
    </message>
    <message>
        <source>Taken from green, likewise.</source>
        <translation>Wird von Grün abgezogen, ebenso.</translation>
    </message>
    <message>
        <source>mean blue</source>
        <translation>Mittel Blau</translation>
    </message>
    <message>
        <source>Taken from blue, likewise.</source>
        <translation>Wird von Blau abgezogen, ebenso.</translation>
    </message>
    <message>
        <source>deviation red</source>
        <translation>Streuung Rot</translation>
    </message>
    <message>
        <source>What red is divided by then; 0.00392157 (1/255) gives 0 to 255.</source>
        <translation>Wodurch Rot dann geteilt wird; 0.00392157 (1/255) ergibt 0 bis 255.</translation>
    </message>
    <message>
        <source>deviation green</source>
        <translation>Streuung Grün</translation>
    </message>
    <message>
        <source>What green is divided by, likewise.</source>
        <translation>Wodurch Grün geteilt wird, ebenso.</translation>
    </message>
    <message>
        <source>deviation blue</source>
        <translation>Streuung Blau</translation>
    </message>
    <message>
        <source>What blue is divided by, likewise.</source>
        <translation>Wodurch Blau geteilt wird, ebenso.</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Name of the output that is the vector; none for the last.</source>
        <translation>Name der Ausgabe, die der Vektor ist; ohne die letzte.</translation>
    </message>
    <message>
        <source>Bring every vector to length 1, as nearly all networks want it.</source>
        <translation>Jeden Vektor auf Länge 1 bringen, wie es fast alle Netze wollen.</translation>
    </message>
    <message>
        <source>Fusion of descriptors</source>
        <translation>Verbindung mehrerer Deskriptoren</translation>
    </message>
    <message>
        <source>Compares by several descriptors at once, each with a weight: shapes and colours, unless you choose others.</source>
        <translation>Vergleicht nach mehreren Deskriptoren zugleich, jeder mit einem Gewicht: Formen und Farben, wenn Sie nichts anderes wählen.</translation>
    </message>
    <message>
        <source>several things at once</source>
        <translation>mehreres zugleich</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erster</translation>
    </message>
    <message>
        <source>A descriptor to compare by.</source>
        <translation>Ein Deskriptor, nach dem verglichen wird.</translation>
    </message>
    <message>
        <source>second</source>
        <translation>zweiter</translation>
    </message>
    <message>
        <source>Another one.</source>
        <translation>Ein weiterer.</translation>
    </message>
    <message>
        <source>third</source>
        <translation>dritter</translation>
    </message>
    <message>
        <source>A third one; none leaves it out.</source>
        <translation>Ein dritter; „ohne“ lässt ihn weg.</translation>
    </message>
    <message>
        <source>fourth</source>
        <translation>vierter</translation>
    </message>
    <message>
        <source>A fourth one, likewise.</source>
        <translation>Ein vierter, ebenso.</translation>
    </message>
    <message>
        <source>first weight</source>
        <translation>Gewicht des ersten</translation>
    </message>
    <message>
        <source>What the first counts for, against the weights of the others: 2 to 1 is twice.</source>
        <translation>Was der erste zählt, gegenüber den Gewichten der anderen: 2 zu 1 ist doppelt.</translation>
    </message>
    <message>
        <source>second weight</source>
        <translation>Gewicht des zweiten</translation>
    </message>
    <message>
        <source>What the second counts for.</source>
        <translation>Was der zweite zählt.</translation>
    </message>
    <message>
        <source>third weight</source>
        <translation>Gewicht des dritten</translation>
    </message>
    <message>
        <source>What the third counts for, where there is one.</source>
        <translation>Was der dritte zählt, wo es einen gibt.</translation>
    </message>
    <message>
        <source>fourth weight</source>
        <translation>Gewicht des vierten</translation>
    </message>
    <message>
        <source>What the fourth counts for, likewise.</source>
        <translation>Was der vierte zählt, ebenso.</translation>
    </message>
    <message>
        <source>Inverse covariance</source>
        <translation>Inverse Kovarianz</translation>
    </message>
    <message>
        <source>Counts every direction of the data alike, however much the items differ in it (the Mahalanobis distance).</source>
        <translation>Zählt jede Richtung der Daten gleich, wie sehr sie sich darin auch unterscheiden (die Mahalanobis-Distanz).</translation>
    </message>
    <message>
        <source>shrinkage</source>
        <translation>Schrumpfung</translation>
    </message>
    <message>
        <source>Added to every variance, as a share of the mean variance. 0 is the inverse covariance itself; the larger, the nearer to no metric at all.</source>
        <translation>Kommt zu jeder Varianz hinzu, als Anteil der mittleren. 0 ist die inverse Kovarianz selbst; je größer, desto näher an gar keiner Metrik.</translation>
    </message>
    <message>
        <source>ranking</source>
        <translation>Rangfolge</translation>
    </message>
    <message>
        <source>By what candidates are ranked: distance, the length of G (x - z), or kernel, the cosine of G x and G z, which is what the bits of random hyperplanes estimate.</source>
        <translation>Wonach Kandidaten geordnet werden: Abstand, die Länge von G (x - z), oder Kern, der Kosinus von G x und G z, den die Bits zufälliger Hyperebenen schätzen.</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Learned from pairs (ITML)</source>
        <translation>Aus Paaren gelernt (ITML)</translation>
    </message>
    <message>
        <source>Brings together what was marked similar and moves apart what was marked different, and else changes little.</source>
        <translation>Rückt zusammen, was als ähnlich, und auseinander, was als verschieden markiert ist, und ändert sonst wenig.</translation>
    </message>
    <message>
        <source>slack</source>
        <translation>Spielraum</translation>
    </message>
    <message>
        <source>How much the marks count beside the prior; small values change less.</source>
        <translation>Wie viel die Markierungen neben dem Ausgangspunkt zählen; kleine Werte ändern weniger.</translation>
    </message>
    <message>
        <source>prior</source>
        <translation>Ausgangspunkt</translation>
    </message>
    <message>
        <source>Where it starts: all directions count alike, the inverse covariance of the items with a tenth of the mean variance added (whitening), or what similar pairs differ in beside what all items differ in, which learns most from few pairs.</source>
        <translation>Wo begonnen wird: Alle Richtungen zählen gleich, die inverse Kovarianz mit einem Zehntel der mittleren Varianz dazu (Weißung), oder worin sich ähnliche Paare unterscheiden gegenüber dem, worin sich alle unterscheiden; das lernt aus wenigen Paaren am meisten.</translation>
    </message>
    <message>
        <source>identity</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>covariance</source>
        <translation>Kovarianz</translation>
    </message>
    <message>
        <source>Principal directions that may be weighed anew; what lies outside stays as it is. 0 for all.</source>
        <translation>Hauptrichtungen, die neu gewichtet werden dürfen; was außerhalb liegt, bleibt. 0 für alle.</translation>
    </message>
    <message>
        <source>near</source>
        <translation>nah</translation>
    </message>
    <message>
        <source>Similar pairs shall be nearer than this share of all pairs of items.</source>
        <translation>Ähnliche Paare sollen näher sein als dieser Anteil aller Paare.</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>far</source>
        <translation>fern</translation>
    </message>
    <message>
        <source>Different pairs shall be farther than this share of all pairs of items.</source>
        <translation>Verschiedene Paare sollen ferner sein als dieser Anteil aller Paare.</translation>
    </message>
    <message>
        <source>sweeps</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>Times that the pairs are gone through at most.</source>
        <translation>Wie oft die Paare höchstens durchgegangen werden.</translation>
    </message>
    <message>
        <source>tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <source>It stops when the duals change by less than this share.</source>
        <translation>Es endet, wenn sich die Dualvariablen um weniger als diesen Anteil ändern.</translation>
    </message>
    <message>
        <source>Start of the draw of pairs that the bounds are found from.</source>
        <translation>Beginn der Ziehung der Paare, aus denen die Schranken gefunden werden.</translation>
    </message>
    <message>
        <source>Random hyperplanes</source>
        <translation>Zufällige Hyperebenen</translation>
    </message>
    <message>
        <source>Turns vectors into bits by random hyperplanes: a bit says on which side of one an item lies.</source>
        <translation>Macht Vektoren durch zufällige Hyperebenen zu Bits: Ein Bit sagt, auf welcher Seite einer Ebene etwas liegt.</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bit</translation>
    </message>
    <message>
        <source>Length of a code. More bits rank finer and take more room.</source>
        <translation>Länge eines Codes. Mehr Bits ordnen feiner und brauchen mehr Platz.</translation>
    </message>
    <message>
        <source>Start of every random draw: the same seed on the same data gives the same codes.</source>
        <translation>Anfang aller Zufallsziehungen: Derselbe Startwert gibt bei denselben Daten dieselben Codes.</translation>
    </message>
    <message>
        <source>Kernelized LSH</source>
        <translation>Kern-LSH</translation>
    </message>
    <message>
        <source>Turns vectors into bits by random hyperplanes in the space of a kernel, of which a sample of landmarks is known.</source>
        <translation>Macht Vektoren zu Bits durch zufällige Hyperebenen im Raum eines Kerns, von dem eine Stichprobe von Landmarken bekannt ist.</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>By what items are compared, and candidates ranked.</source>
        <translation>Womit Elemente verglichen und Kandidaten geordnet werden.</translation>
    </message>
    <message>
        <source>landmarks</source>
        <translation>Landmarken</translation>
    </message>
    <message>
        <source>Items that the space is learned from (m). More know it better, and every code takes longer.</source>
        <translation>Elemente, aus denen der Raum gelernt wird (m). Mehr kennen ihn besser, und jeder Code dauert länger.</translation>
    </message>
    <message>
        <source>Landmarks that each hyperplane is made of (t), drawn at random.</source>
        <translation>Landmarken, aus denen jede Hyperebene besteht (t), zufällig gezogen.</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Leading components that are kept (r); none keeps all. Fewer leave out what the sample does not know well, up to a point that depends on the data: 32 to 128 is often best.</source>
        <translation>Führende Komponenten, die behalten werden (r); „ohne“ behält alle. Weniger lassen weg, was die Stichprobe schlecht kennt, bis zu einem Punkt, der von den Daten abhängt: 32 bis 128 ist oft am besten.</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>How much memory each of these processes may take in all. A photograph that would need more is not read, and is listed as a problem. “auto” shares three quarters of the computer&apos;s memory out to the processes: at most 2,048 MB to each, and at least 256 MB.</source>
        <translation>Wie viel Arbeitsspeicher jeder dieser Prozesse insgesamt nehmen darf. Ein Foto, das mehr bräuchte, wird nicht gelesen und kommt in die Liste der Probleme. „auto“ teilt drei Viertel des Arbeitsspeichers unter den Prozessen auf: höchstens 2.048 MB für jeden und mindestens 256 MB.</translation>
    </message>
    <message>
        <source>similar</source>
        <translation>ähnlich</translation>
    </message>
    <message>
        <source>strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Of prior=similar: so many similar pairs&apos; worth count towards changing nothing. The larger, the more careful with few pairs.</source>
        <translation>Bei „ähnlich“: Nichts zu ändern zählt so viel wie so viele ähnliche Paare. Je größer, desto vorsichtiger bei wenigen Paaren.</translation>
    </message>
    <message>
        <source>even</source>
        <translation>Ausgleich</translation>
    </message>
    <message>
        <source>Of prior=similar: how far principal directions of little spread are raised to those of much: 0 not at all, 1 to the same.</source>
        <translation>Bei „ähnlich“: wie weit Hauptrichtungen kleiner Streuung zu denen großer angehoben werden: 0 gar nicht, 1 auf gleiche.</translation>
    </message>
    <message>
        <source>Of the transform exp(s (k - 1)), for kernels with values from 0 to 1; none leaves it out. It keeps every ranking and makes the leading components easier to learn.</source>
        <translation>Das s der Umformung exp(s (k - 1)), für Kerne mit Werten von 0 bis 1; „ohne“ lässt sie weg. Sie erhält jede Rangfolge und macht die führenden Komponenten leichter zu lernen.</translation>
    </message>
    <message>
        <source>norm filter</source>
        <translation>Normfilter</translation>
    </message>
    <message>
        <source>Leaves items out of the candidates of which less than this part of the length lies in the leading space (N(x) / |φ_c(x)|); none keeps all. Their codes say little of them. It counts in bench, which tells how many it drops; in a library every photograph stays findable.</source>
        <translation>Lässt von den Kandidaten weg, wovon weniger als dieser Teil der Länge im führenden Raum liegt (N(x) / |φ_c(x)|); ohne behält alle. Ihre Codes sagen wenig über sie. Es zählt in bench, das sagt, wie viele wegfallen; in einer Bibliothek bleibt jedes Foto auffindbar.</translation>
    </message>
    <message>
        <source>centre query</source>
        <translation>Anfrage zentrieren</translation>
    </message>
    <message>
        <source>Whether the mean of the landmarks&apos; kernel values is subtracted. Off is eq. 3&apos;s letter, and worse.</source>
        <translation>Ob der Mittelwert der Kernwerte der Landmarken abgezogen wird. Aus ist der Buchstabe von Gl. 3 und schlechter.</translation>
    </message>
    <message>
        <source>KPCA + LSH</source>
        <translation>KPCA + LSH</translation>
    </message>
    <message>
        <source>Turns vectors into bits by Gaussian hyperplanes in the leading space of a kernel.</source>
        <translation>Macht Vektoren zu Bits durch Gaußsche Hyperebenen im führenden Raum eines Kerns.</translation>
    </message>
    <message>
        <source>Nyström + LSH</source>
        <translation>Nyström + LSH</translation>
    </message>
    <message>
        <source>Turns vectors into bits by Gaussian hyperplanes in the Nyström approximation of a kernel.</source>
        <translation>Macht Vektoren zu Bits durch Gaußsche Hyperebenen in der Nyström-Näherung eines Kerns.</translation>
    </message>
    <message>
        <source>Kernelized LSH by pre-images</source>
        <translation>Kern-LSH über Urbilder</translation>
    </message>
    <message>
        <source>Turns vectors into bits by comparing them, under a kernel, with one vector for each bit.</source>
        <translation>Macht Vektoren zu Bits, indem sie unter einem Kern mit je einem Vektor für jedes Bit verglichen werden.</translation>
    </message>
    <message>
        <source>By what items are compared. Histogram kernels are not offered: pre-images have negative entries. A kernel of a distance, such as gaussian, needs vectors that are all about equally long.</source>
        <translation>Womit Elemente verglichen werden. Histogrammkerne stehen nicht zur Wahl: Urbilder haben negative Einträge. Ein Kern eines Abstands, etwa Gauß, braucht Vektoren, die alle ungefähr gleich lang sind.</translation>
    </message>
    <message>
        <source>How many items, drawn at random, the pre-images are made of (the paper&apos;s p). More knows the data better, and takes longer to learn, not to encode.</source>
        <translation>Aus wie vielen zufällig gezogenen Elementen die Urbilder bestehen (das p der Arbeit). Mehr kennt die Daten besser und dauert beim Lernen länger, nicht beim Codieren.</translation>
    </message>
    <message>
        <source>How many of the landmarks a direction is the sum of (the paper&apos;s t), at most half of them. More makes directions more nearly normally distributed, and more alike.</source>
        <translation>Die Summe von wie vielen Landmarken eine Richtung ist (das t der Arbeit), höchstens von der Hälfte. Mehr macht die Richtungen genauer normalverteilt und einander ähnlicher.</translation>
    </message>
    <message>
        <source>ridge</source>
        <translation>Regularisierung</translation>
    </message>
    <message>
        <source>Added to the eigenvalues before they are inverted, as a part of the largest. More lets directions of little variance count less.</source>
        <translation>Wird vor dem Invertieren zu den Eigenwerten addiert, als Teil des größten. Mehr lässt Richtungen kleiner Varianz weniger zählen.</translation>
    </message>
    <message>
        <source>Random waves (shift-invariant kernel)</source>
        <translation>Zufällige Wellen (verschiebungsinvarianter Kern)</translation>
    </message>
    <message>
        <source>Turns vectors into bits whose number of differing ones tells a Gaussian or Laplacian kernel of two items.</source>
        <translation>Macht Vektoren zu Bits; wie viele davon verschieden sind, sagt den Gauß- oder Laplace-Kern zweier Elemente.</translation>
    </message>
    <message>
        <source>Whose values the bits tell: gaussian compares distances, laplacian sums of differences.</source>
        <translation>Wessen Werte die Bits sagen: Gauß vergleicht Abstände, Laplace Summen von Unterschieden.</translation>
    </message>
    <message>
        <source>Bilinear random waves (Gaussian kernel)</source>
        <translation>Bilineare zufällige Wellen (Gauß-Kern)</translation>
    </message>
    <message>
        <source>Turns vectors that are matrices into bits that tell a Gaussian kernel, by two small random matrices.</source>
        <translation>Macht Vektoren, die Matrizen sind, durch zwei kleine Zufallsmatrizen zu Bits, die einen Gauß-Kern sagen.</translation>
    </message>
    <message>
        <source>oversampling</source>
        <translation>Überabtastung</translation>
    </message>
    <message>
        <source>How many times as many rows and columns are projected as a code needs, of which a random part is kept (the paper&apos;s m). More makes bits more independent, and takes more time.</source>
        <translation>Wie viel Mal so viele Zeilen und Spalten projiziert werden, wie ein Code braucht; ein zufälliger Teil davon bleibt (das m der Arbeit). Mehr macht die Bits unabhängiger und braucht mehr Zeit.</translation>
    </message>
    <message>
        <source>Bilinear hyperplanes</source>
        <translation>Bilineare Hyperebenen</translation>
    </message>
    <message>
        <source>Turns vectors that are matrices, such as VLAD, into bits by two small random matrices instead of a large one.</source>
        <translation>Macht Vektoren, die Matrizen sind, etwa VLAD, durch zwei kleine Zufallsmatrizen statt einer großen zu Bits.</translation>
    </message>
    <message>
        <source>Bilinear ITQ</source>
        <translation>Bilineares ITQ</translation>
    </message>
    <message>
        <source>Turns vectors that are matrices, such as VLAD, into bits by two small matrices that are learned from the library.</source>
        <translation>Macht aus Vektoren, die Matrizen sind, etwa VLAD, Bits mit zwei kleinen Matrizen, die aus der Bibliothek gelernt werden.</translation>
    </message>
    <message>
        <source>Turns of both rotations. More bring the signs nearer to the data: 20 rank a little better for VLAD and written digits, and worse for pictures of which one part of the variance outweighs all others.</source>
        <translation>Runden für beide Drehungen. Mehr bringen die Vorzeichen näher an die Daten: 20 ordnen VLAD und geschriebene Ziffern etwas besser, und schlechter Bilder, bei denen ein Teil der Varianz alles andere überwiegt.</translation>
    </message>
    <message>
        <source>How many items, drawn at random, the rotations are learned from. More takes longer and changes little.</source>
        <translation>Aus wie vielen zufällig gezogenen Fotos die Drehungen gelernt werden. Mehr dauert länger und ändert wenig.</translation>
    </message>
    <message>
        <source>PCA + ITQ</source>
        <translation>PCA + ITQ</translation>
    </message>
    <message>
        <source>Turns vectors into bits along the directions in which the library varies most, rotated so that little is lost.</source>
        <translation>Macht Vektoren zu Bits entlang der Richtungen, in denen die Bibliothek am meisten variiert, so gedreht, dass wenig verloren geht.</translation>
    </message>
    <message>
        <source>subspace</source>
        <translation>Unterraum</translation>
    </message>
    <message>
        <source>Where the directions come from: principal components; their approximation from a part of items and dimensions, drawn uniformly or by their length, which is faster for long vectors; or at random.</source>
        <translation>Woher die Richtungen kommen: Hauptkomponenten; deren Näherung aus einem Teil der Elemente und Dimensionen, gleichverteilt oder nach Länge gezogen, was bei langen Vektoren schneller ist; oder zufällig.</translation>
    </message>
    <message>
        <source>pca</source>
        <translation>PCA</translation>
    </message>
    <message>
        <source>nystrom-uniform</source>
        <translation>Nyström, gleichverteilt</translation>
    </message>
    <message>
        <source>nystrom-weighted</source>
        <translation>Nyström, gewichtet</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>sample fraction</source>
        <translation>Anteil der Elemente</translation>
    </message>
    <message>
        <source>Part of the items that the Nyström subspaces draw; more is nearer to pca, and slower.</source>
        <translation>Teil der Elemente, den die Nyström-Unterräume ziehen; mehr ist näher an PCA und langsamer.</translation>
    </message>
    <message>
        <source>feature fraction</source>
        <translation>Anteil der Dimensionen</translation>
    </message>
    <message>
        <source>Part of the dimensions that the Nyström subspaces draw; more is nearer to pca, too.</source>
        <translation>Teil der Dimensionen, den die Nyström-Unterräume ziehen; mehr ist ebenfalls näher an PCA.</translation>
    </message>
    <message>
        <source>orthogonalise</source>
        <translation>Orthogonalisieren</translation>
    </message>
    <message>
        <source>Make the directions orthogonal by QR. Off is the paper&apos;s letter, and ranks worse.</source>
        <translation>Die Richtungen durch QR orthogonal machen. Aus ist der Buchstabe der Arbeit und ordnet schlechter.</translation>
    </message>
    <message>
        <source>refine</source>
        <translation>Verfeinern</translation>
    </message>
    <message>
        <source>Turn the orthogonal Nyström directions once towards the data, by a step of subspace iteration on another draw of as many items. It keeps more of the variance; off is the paper&apos;s.</source>
        <translation>Dreht die orthogonalen Nyström-Richtungen einmal zu den Daten hin, mit einem Schritt Unterraum-Iteration auf einer weiteren Ziehung von gleich vielen. Es behält mehr von der Varianz; aus ist wie in der Arbeit.</translation>
    </message>
    <message>
        <source>truncation</source>
        <translation>Abschneiden</translation>
    </message>
    <message>
        <source>The paper&apos;s gamma: leave out Nyström directions whose squared singular value is below this part of the largest there could be. Larger leaves out more.</source>
        <translation>Das Gamma der Arbeit: Nyström-Richtungen weglassen, deren quadrierter Singulärwert unter diesem Teil des größtmöglichen liegt. Größer lässt mehr weg.</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>Turns of the rotation; more than 50 change little.</source>
        <translation>Durchgänge der Drehung; mehr als 50 ändern wenig.</translation>
    </message>
    <message>
        <source>training items</source>
        <translation>Lernmenge</translation>
    </message>
    <message>
        <source>How many items, drawn at random, the rotation is learned from. More takes longer and changes little.</source>
        <translation>Aus wie vielen zufällig gezogenen Elementen die Drehung gelernt wird. Mehr dauert länger und ändert wenig.</translation>
    </message>
    <message>
        <source>items</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>KPCA + ITQ</source>
        <translation>KPCA + ITQ</translation>
    </message>
    <message>
        <source>Turns vectors into bits along the components of a kernel, rotated so that little is lost.</source>
        <translation>Macht Vektoren zu Bits entlang der Komponenten eines Kerns, so gedreht, dass wenig verloren geht.</translation>
    </message>
    <message>
        <source>Scan</source>
        <translation>Durchsehen</translation>
    </message>
    <message>
        <source>Compares the query with every code, and ranks the nearest by the exact measure.</source>
        <translation>Vergleicht die Anfrage mit jedem Code und ordnet die nächsten nach dem genauen Maß.</translation>
    </message>
    <message>
        <source>candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>How many of the nearest codes are ranked by the exact measure. More finds more of the true neighbours, and takes longer.</source>
        <translation>Wie viele der nächsten Codes nach dem genauen Maß geordnet werden. Mehr findet mehr der wahren Nachbarn und dauert länger.</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>Asymmetrisch</translation>
    </message>
    <message>
        <source>Choose the candidates from eight times as many by an asymmetric distance: a bit that differs counts as much as the query&apos;s projection is large. It finds more of the true neighbours with the same codes.</source>
        <translation>Wählt die Kandidaten unter achtmal so vielen nach einem asymmetrischen Abstand: Ein verschiedenes Bit zählt so viel, wie die Projektion der Anfrage groß ist. Es findet mit denselben Codes mehr von den wahren Nachbarn.</translation>
    </message>
    <message>
        <source>Equal codes grouped</source>
        <translation>Gleiche Codes gruppiert</translation>
    </message>
    <message>
        <source>Compares the query once with every distinct code: what the scan finds, with less work where many are equal.</source>
        <translation>Vergleicht die Anfrage einmal mit jedem verschiedenen Code: findet, was der Scan findet, mit weniger Arbeit, wo viele gleich sind.</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>Fächer</translation>
    </message>
    <message>
        <source>Compares the query only with codes that agree with it, or nearly, in some bits: those of a few buckets.</source>
        <translation>Vergleicht die Anfrage nur mit Codes, die in einigen Bits ganz oder fast gleich sind: denen weniger Fächer.</translation>
    </message>
    <message>
        <source>tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>How many tables, each by other bits as long as the code has enough. More finds more of the neighbours, and takes longer and more memory: 4 bytes an item and table.</source>
        <translation>Wie viele Tabellen, jede nach anderen Bits, solange der Code genug hat. Mehr findet mehr von den Nachbarn und braucht mehr Zeit und Speicher: 4 Byte je Foto und Tabelle.</translation>
    </message>
    <message>
        <source>key bits</source>
        <translation>Schlüsselbits</translation>
    </message>
    <message>
        <source>How many bits of the code are a table&apos;s key, never more than it has. More makes buckets smaller: faster, and more is missed; above some 24, finding the closest keys of a large library takes longer than comparing all codes. None: as many as give about 32 items to a possible key.</source>
        <translation>Wie viele Bits des Codes der Schlüssel einer Tabelle sind, nie mehr, als er hat. Mehr macht die Fächer kleiner: schneller, und mehr wird verpasst; über etwa 24 dauert es in einer großen Bibliothek länger, die nächsten Schlüssel zu finden, als alle Codes zu vergleichen. Ohne: so viele, dass etwa 32 Fotos auf einen möglichen Schlüssel kommen.</translation>
    </message>
    <message>
        <source>radius</source>
        <translation>Radius</translation>
    </message>
    <message>
        <source>Buckets whose keys differ from the query&apos;s in up to so many bits are visited too. More finds more of the neighbours, and takes much longer with each bit.</source>
        <translation>Auch Fächer, deren Schlüssel sich von dem der Anfrage in bis zu so vielen Bits unterscheiden, werden besucht. Mehr findet mehr von den Nachbarn und dauert mit jedem Bit viel länger.</translation>
    </message>
    <message>
        <source>neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <source>How many of the occupied keys closest to the query&apos;s are visited in each table, its own first; they are held ready for every occupied key. 0 for the query&apos;s own bucket alone.</source>
        <translation>Wie viele der belegten Schlüssel, die dem der Anfrage am nächsten sind, in jeder Tabelle besucht werden, der eigene zuerst; sie liegen für jeden belegten Schlüssel bereit. 0 nur für das eigene Fach.</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>Fehlt er</translation>
    </message>
    <message>
        <source>Where to go when the query&apos;s key is not in a table: to the closest occupied keys; or lexicographic, as in the paper, to its neighbour in the sorted keys and the keys closest to that one.</source>
        <translation>Wohin, wenn der Schlüssel der Anfrage in einer Tabelle fehlt: zu den nächsten belegten; oder lexikographisch, wie in der Arbeit, zu seinem Nachbarn in den sortierten Schlüsseln und denen, die diesem am nächsten sind.</translation>
    </message>
    <message>
        <source>closest</source>
        <translation>nächster</translation>
    </message>
    <message>
        <source>lexicographic</source>
        <translation>lexikographisch</translation>
    </message>
    <message>
        <source>Draws which bits of the code are the keys.</source>
        <translation>Zieht, welche Bits des Codes die Schlüssel sind.</translation>
    </message>
    <message>
        <source>Multi-index hashing</source>
        <translation>Mehrfach-Index-Hashing</translation>
    </message>
    <message>
        <source>Looks only at codes that agree with the query&apos;s, nearly, in some part of it, and still misses nothing.</source>
        <translation>Sieht nur Codes an, die in irgendeinem Teil fast mit dem der Anfrage übereinstimmen, und verpasst doch nichts.</translation>
    </message>
    <message>
        <source>substrings</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Permuted sorted lists</source>
        <translation>Umgeordnete sortierte Listen</translation>
    </message>
    <message>
        <source>Looks a code up in many sorted lists, each with the bits in another order, and at what stands near it there.</source>
        <translation>Schlägt einen Code in vielen sortierten Listen nach, jede mit den Bits in anderer Reihenfolge, und sieht an, was dort bei ihm steht.</translation>
    </message>
    <message>
        <source>epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>How much farther than the nearest a find may be: there are n to the power of 1 / (1 + epsilon) lists for n codes. A smaller one makes more lists, which find more and take more memory.</source>
        <translation>Wie viel weiter als das Nächste ein Fund sein darf: Für n Codes gibt es n hoch 1 / (1 + Epsilon) Listen. Ein kleineres macht mehr Listen, die mehr finden und mehr Speicher brauchen.</translation>
    </message>
    <message>
        <source>lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>How many sorted lists; none: as many as epsilon and the codes say.</source>
        <translation>Wie viele sortierte Listen; ohne: so viele, wie Epsilon und die Codes sagen.</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>How many codes are looked at for each list and direction: 1 as in the paper, that is, two for each list. More finds more of the nearest, and takes longer.</source>
        <translation>Wie viele Codes je Liste und Richtung angesehen werden: 1 wie in der Arbeit, also zwei je Liste. Mehr findet mehr von den Nächsten und dauert länger.</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>What the lists may take. Where epsilon says more lists, there are as many as that holds; where lists does, they are refused.</source>
        <translation>Was die Listen nehmen dürfen. Wo Epsilon mehr Listen verlangt, gibt es so viele, wie hineinpassen; wo „Listen“ mehr verlangt, werden sie abgelehnt.</translation>
    </message>
    <message>
        <source>Start of every random draw: the same seed gives the same orders of the bits.</source>
        <translation>Anfang jeder zufälligen Ziehung: Derselbe Startwert gibt dieselben Reihenfolgen der Bits.</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Genau</translation>
    </message>
    <message>
        <source>Ranks every item by the exact measure, without codes.</source>
        <translation>Ordnet alles nach dem genauen Maß, ohne Codes.</translation>
    </message>
    <message>
        <source>bound</source>
        <translation>Schranke</translation>
    </message>
    <message>
        <source>What spares comparisons under a kernel whose items differ in norm: norms, a bound that loses nothing; heuristic, the paper&apos;s bound, which is not always true and may lose neighbours; or none. A library compares items at equal norms, where no bound can help: it counts in bench.</source>
        <translation>Was Vergleiche spart unter einem Kern, dessen Elemente verschiedene Normen haben: „Normen“, eine Schranke, die nichts verliert; „heuristisch“, die Schranke der Arbeit, die nicht immer stimmt und Nachbarn verlieren kann; oder „ohne“. Eine Bibliothek vergleicht Elemente gleicher Norm, wo keine Schranke hilft: Sie zählt in bench.</translation>
    </message>
    <message>
        <source>norms</source>
        <translation>Normen</translation>
    </message>
    <message>
        <source>heuristic</source>
        <translation>heuristisch</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>The dot product x·z.</source>
        <translation>Das Skalarprodukt x·z.</translation>
    </message>
    <message>
        <source>normalise</source>
        <translation>normieren</translation>
    </message>
    <message>
        <source>Into how many parts a code is cut. None: the bits divided by the binary logarithm of the number of codes, as the paper advises. Fewer are probed more often, more lead to more codes. A part has at most 64 bits and at least one.</source>
        <translation>In wie viele Teile ein Code zerlegt wird. Ohne: die Bits durch den Zweierlogarithmus der Zahl der Codes, wie die Arbeit rät. Weniger werden öfter befragt, mehr führen zu mehr Codes. Ein Teil hat höchstens 64 Bit und mindestens eines.</translation>
    </message>
    <message>
        <source>Divide by sqrt(k(x, x) k(z, z)): every item is 1 to itself, and its length no longer counts.</source>
        <translation>Durch sqrt(k(x, x) k(z, z)) teilen: Jedes Bild ist zu sich selbst 1, und die Länge seines Vektors zählt nicht mehr.</translation>
    </message>
    <message>
        <source>Polynomial</source>
        <translation>Polynom</translation>
    </message>
    <message>
        <source>(a x·z + c)^p, the dot product of all products of up to p entries.</source>
        <translation>(a x·z + c)^p, das Skalarprodukt aller Produkte von bis zu p Einträgen.</translation>
    </message>
    <message>
        <source>a</source>
        <translation>a</translation>
    </message>
    <message>
        <source>Factor of the dot product.</source>
        <translation>Faktor des Skalarprodukts.</translation>
    </message>
    <message>
        <source>c</source>
        <translation>c</translation>
    </message>
    <message>
        <source>Added to the dot product. The larger, the more products of few entries count.</source>
        <translation>Wird zum Skalarprodukt addiert. Je größer, desto mehr zählen Produkte weniger Einträge.</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>Power. The larger, the more the alike stand out; not whole, it is not a dot product.</source>
        <translation>Potenz. Je größer, desto mehr hebt sich Ähnliches ab; ist sie nicht ganz, ist es kein Skalarprodukt.</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gauß</translation>
    </message>
    <message>
        <source>exp(-gamma |x - z|²), 1 for equal items and next to nothing for those a few widths apart.</source>
        <translation>exp(-gamma |x - z|²), 1 für Gleiches und fast nichts für das, was einige Breiten entfernt liegt.</translation>
    </message>
    <message>
        <source>gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Inverse width: larger sees nearer neighbours only. auto finds it from the average distance of sampled items to their 50th neighbour.</source>
        <translation>Kehrwert der Breite: Größer sieht nur nähere Nachbarn. auto findet ihn aus dem mittleren Abstand einer Stichprobe zum jeweils 50. Nachbarn.</translation>
    </message>
    <message>
        <source>Laplacian</source>
        <translation>Laplace</translation>
    </message>
    <message>
        <source>exp(-gamma |x - z|_1), of the sum of the absolute differences: a few large ones count for less.</source>
        <translation>exp(-gamma |x - z|_1), aus der Summe der absoluten Unterschiede: Wenige große zählen weniger.</translation>
    </message>
    <message>
        <source>Cauchy</source>
        <translation>Cauchy</translation>
    </message>
    <message>
        <source>1 / (1 + gamma |x - z|²), which falls slowly: items far apart still differ in how far.</source>
        <translation>1 / (1 + gamma |x - z|²), fällt langsam: Auch weit Entferntes unterscheidet sich noch darin, wie weit.</translation>
    </message>
    <message>
        <source>Sigmoid</source>
        <translation>Sigmoid</translation>
    </message>
    <message>
        <source>tanh(a x·z + c), as a neuron would weigh x by z.</source>
        <translation>tanh(a x·z + c), wie ein Neuron x mit z gewichten würde.</translation>
    </message>
    <message>
        <source>Factor of the dot product. Larger tells the alike less apart.</source>
        <translation>Faktor des Skalarprodukts. Größer unterscheidet Ähnliches weniger.</translation>
    </message>
    <message>
        <source>Added to the dot product.</source>
        <translation>Wird zum Skalarprodukt addiert.</translation>
    </message>
    <message>
        <source>Histogram intersection</source>
        <translation>Histogrammschnitt</translation>
    </message>
    <message>
        <source>Histogram intersection, the sum of min(x, z): the share of one histogram that the other covers.</source>
        <translation>Histogrammschnitt, die Summe der min(x, z): der Teil eines Histogramms, den das andere deckt.</translation>
    </message>
    <message>
        <source>Chi-square</source>
        <translation>Chi-Quadrat</translation>
    </message>
    <message>
        <source>The additive chi-square kernel, the sum of 2xz / (x + z): differences in small bins count for more.</source>
        <translation>Der additive Chi-Quadrat-Kern, die Summe der 2xz / (x + z): Unterschiede in kleinen Fächern zählen mehr.</translation>
    </message>
    <message>
        <source>Hellinger</source>
        <translation>Hellinger</translation>
    </message>
    <message>
        <source>The Hellinger (Bhattacharyya) kernel, the sum of sqrt(x z): a dot product of square roots.</source>
        <translation>Der Hellinger-Kern (Bhattacharyya), die Summe der sqrt(x z): ein Skalarprodukt der Wurzeln.</translation>
    </message>
</context>
<context>
    <name>DropSign</name>
    <message>
        <source>{0} photos are too many to search with: at most {1} are possible.</source>
        <translation>{0} Fotos sind zu viele für eine Suche: höchstens {1} sind möglich.</translation>
    </message>
    <message>
        <source>Compare indexes with this photo</source>
        <translation>Indexe mit diesem Foto vergleichen</translation>
    </message>
    <message>
        <source>Compare indexes with these photos</source>
        <translation>Indexe mit diesen Fotos vergleichen</translation>
    </message>
    <message>
        <source>Search with this photo</source>
        <translation>Mit diesem Foto suchen</translation>
    </message>
    <message>
        <source>Search with these photos</source>
        <translation>Mit diesen Fotos suchen</translation>
    </message>
    <message>
        <source>It does not become part of the library.</source>
        <translation>Es wird nicht Teil der Bibliothek.</translation>
    </message>
    <message>
        <source>Add “{0}” to the library</source>
        <translation>„{0}“ zur Bibliothek hinzufügen</translation>
    </message>
    <message>
        <source>Add {0} folders to the library</source>
        <translation>{0} Ordner zur Bibliothek hinzufügen</translation>
    </message>
    <message>
        <source>The files stay where they are.</source>
        <translation>Die Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>It comes after “{0}”.</source>
        <translation>Er kommt nach „{0}“.</translation>
    </message>
</context>
<context>
    <name>ExampleChip</name>
    <message>
        <source>{name}: change what it counts</source>
        <translation>{name}: Gewicht ändern</translation>
    </message>
    <message>
        <source>{name}
Weight {weight}; press to change it, Del takes it away</source>
        <translation>{name}
Gewicht {weight}; drücken ändert es, Entf nimmt es weg</translation>
    </message>
    <message>
        <source>Take {name} out of the question</source>
        <translation>{name} aus der Frage nehmen</translation>
    </message>
    <message>
        <source>Take it out (Del)</source>
        <translation>Herausnehmen (Entf)</translation>
    </message>
</context>
<context>
    <name>ExamplePicture</name>
    <message>
        <source>Like {name}</source>
        <translation>Wie {name}</translation>
    </message>
    <message>
        <source>Not like {name}</source>
        <translation>Nicht wie {name}</translation>
    </message>
</context>
<context>
    <name>ExperimentsControl</name>
    <message>
        <source>out of {0}, not kept</source>
        <translation>aus {0}, nicht bewahrt</translation>
    </message>
    <message>
        <source>{0} of {1} steps are measured</source>
        <translation>{0} von {1} Schritten sind gemessen</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>Neues Experiment</translation>
    </message>
    <message>
        <source>“{0}” is measured.</source>
        <translation>„{0}“ ist gemessen.</translation>
    </message>
    <message>
        <source>{0} of {1} figures differ now. {2}</source>
        <translation>{0} von {1} Zahlen sind jetzt anders. {2}</translation>
    </message>
    <message>
        <source>“{0}” again: all {1} figures are the same.</source>
        <translation>„{0}“ noch einmal: Alle {1} Zahlen sind gleich.</translation>
    </message>
    <message>
        <source>It is being measured. Stop it first.</source>
        <translation>Es wird gerade gemessen. Erst abbrechen.</translation>
    </message>
    <message>
        <source>Open an experiment</source>
        <translation>Ein Experiment öffnen</translation>
    </message>
    <message>
        <source>Experiment (*.twinlens-experiment)</source>
        <translation>Experiment (*.twinlens-experiment)</translation>
    </message>
</context>
<context>
    <name>Explore</name>
    <message>
        <source>Value of {0}</source>
        <translation>Wert von {0}</translation>
    </message>
    <message>
        <source>usually {0}</source>
        <translation>meist {0}</translation>
    </message>
    <message>
        <source>Index whose vectors are looked at</source>
        <translation>Index, dessen Vektoren betrachtet werden</translation>
    </message>
    <message>
        <source>Photographs in the sample</source>
        <translation>Fotos in der Stichprobe</translation>
    </message>
    <message>
        <source>Hash method</source>
        <translation>Hash-Methode</translation>
    </message>
    <message>
        <source>Search structure</source>
        <translation>Suchstruktur</translation>
    </message>
    <message>
        <source>{0} drawn</source>
        <translation>{0} gezogen</translation>
    </message>
    <message>
        <source>all {0}</source>
        <translation>alle {0}</translation>
    </message>
    <message>
        <source>Vectors of</source>
        <translation>Vektoren von</translation>
    </message>
    <message>
        <source>How they become bits</source>
        <translation>Wie daraus Bits werden</translation>
    </message>
    <message>
        <source>How the bits are searched</source>
        <translation>Wie die Bits durchsucht werden</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>What one photograph finds</source>
        <translation>Was ein Foto findet</translation>
    </message>
    <message>
        <source>Missed of the true {0}</source>
        <translation>Verfehlt von den wahren {0}</translation>
    </message>
    <message>
        <source>The first {0} of {1} components hold {2} % of the kernel&apos;s spectrum.</source>
        <translation>Die ersten {0} von {1} Komponenten enthalten {2} % des Kernspektrums.</translation>
    </message>
    <message>
        <source>The index {0} is ready.</source>
        <translation>Der Index {0} ist fertig.</translation>
    </message>
    <message>
        <source>Making an index of {0}…</source>
        <translation>Ein Index aus {0} wird angelegt …</translation>
    </message>
    <message>
        <source>Deleting {0}…</source>
        <translation>{0} wird gelöscht …</translation>
    </message>
    <message>
        <source>In the order of codes, or as the search ranks</source>
        <translation>In der Ordnung der Codes, oder wie die Suche ordnet</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Keep this setting to compare with (P)</source>
        <translation>Diese Einstellung zum Vergleichen behalten (P)</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Tauschen</translation>
    </message>
    <message>
        <source>Go to the pinned setting and back (A)</source>
        <translation>Zur angehefteten Einstellung und zurück (A)</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Go back to the index&apos;s own setting (R)</source>
        <translation>Zurück zur eigenen Einstellung des Index (R)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Make it a column of the comparison (Shift+C)</source>
        <translation>Zu einer Spalte des Vergleichs machen (Umschalt+C)</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Benutzen</translation>
    </message>
    <message>
        <source>Make it an index of the library (U)</source>
        <translation>Zu einem Index der Bibliothek machen (U)</translation>
    </message>
    <message>
        <source>Another photograph</source>
        <translation>Anderes Foto</translation>
    </message>
    <message>
        <source>Ask with another photograph (N)</source>
        <translation>Mit einem anderen Foto fragen (N)</translation>
    </message>
    <message>
        <source>Spectrum of the kernel</source>
        <translation>Spektrum des Kerns</translation>
    </message>
    <message>
        <source>What it finds</source>
        <translation>Was es findet</translation>
    </message>
    <message>
        <source>Make it</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>codes alone</source>
        <translation>nur Codes</translation>
    </message>
    <message>
        <source>as search ranks</source>
        <translation>wie die Suche</translation>
    </message>
    <message>
        <source>Order: </source>
        <translation>Ordnung: </translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>**{0}** of the true {1} · asked with {2}</source>
        <translation>**{0}** der wahren {1} · gefragt mit {2}</translation>
    </message>
    <message>
        <source>A low rank keeps what the landmarks know well and leaves out what is noise, until it leaves out what tells photographs apart.</source>
        <translation>Ein kleiner Rang behält, was die Landmarken gut kennen, und lässt Rauschen weg, bis er weglässt, was Fotos unterscheidet.</translation>
    </message>
    <message>
        <source>Move a slider: figures and pictures show at once what it changes. Nothing changes in the library until you use it.</source>
        <translation>Einen Regler bewegen: Zahlen und Bilder zeigen sofort, was er ändert. In der Bibliothek ändert sich nichts, bis Sie es benutzen.</translation>
    </message>
    <message>
        <source>The search measures {0} candidates, which are all photographs of the sample: it finds everything whatever the codes. Fewer candidates show what the codes lose.</source>
        <translation>Die Suche misst {0} Kandidaten, also alle Fotos der Stichprobe: Sie findet alles, was die Codes auch sagen. Weniger Kandidaten zeigen, was die Codes verlieren.</translation>
    </message>
    <message>
        <source>recall@1</source>
        <translation>Recall@1</translation>
    </message>
    <message>
        <source>How often the true nearest is the first by its code</source>
        <translation>Wie oft das wahre nächste nach seinem Code das erste ist</translation>
    </message>
    <message>
        <source>recall@10</source>
        <translation>Recall@10</translation>
    </message>
    <message>
        <source>How often the true nearest is among the first 10 by their codes</source>
        <translation>Wie oft das wahre nächste nach den Codes unter den ersten 10 ist</translation>
    </message>
    <message>
        <source>recall@100</source>
        <translation>Recall@100</translation>
    </message>
    <message>
        <source>How often the true nearest is among the first 100 by their codes</source>
        <translation>Wie oft das wahre nächste nach den Codes unter den ersten 100 ist</translation>
    </message>
    <message>
        <source>mAP</source>
        <translation>mAP</translation>
    </message>
    <message>
        <source>Mean average precision: how high the true first 50 stand in the order of codes</source>
        <translation>Mean Average Precision: wie weit vorn die wahren ersten 50 in der Ordnung der Codes stehen</translation>
    </message>
    <message>
        <source>search finds</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>Share of the true first 10 that the search finds and ranks exactly</source>
        <translation>Anteil der wahren ersten 10, den die Suche findet und genau ordnet</translation>
    </message>
    <message>
        <source>looked at</source>
        <translation>angesehen</translation>
    </message>
    <message>
        <source>Photographs that are measured exactly, a question</source>
        <translation>Fotos, die je Frage genau gemessen werden</translation>
    </message>
    <message>
        <source>a question</source>
        <translation>je Frage</translation>
    </message>
    <message>
        <source>Time of one question, from its vector on; measured when figures are exact</source>
        <translation>Zeit einer Frage, vom Vektor an; gemessen, wenn die Zahlen genau sind</translation>
    </message>
    <message>
        <source>a code</source>
        <translation>je Code</translation>
    </message>
    <message>
        <source>Bytes of a photograph&apos;s code</source>
        <translation>Bytes des Codes eines Fotos</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>{used} of {of} questions</source>
        <translation>{used} von {of} Fragen</translation>
    </message>
    <message>
        <source>{used} of {of} landmarks</source>
        <translation>{used} von {of} Landmarken</translation>
    </message>
    <message>
        <source>learned from {used} of {of} photographs</source>
        <translation>aus {used} von {of} Fotos gelernt</translation>
    </message>
    <message>
        <source>{used} of {of} turns</source>
        <translation>{used} von {of} Durchgängen</translation>
    </message>
    <message>
        <source>recall@10 {old} → {new}</source>
        <translation>Recall@10 {old} → {new}</translation>
    </message>
    <message>
        <source>search finds {old} → {new}</source>
        <translation>Suche findet {old} → {new}</translation>
    </message>
    <message>
        <source>looks at {old} → {new}</source>
        <translation>sieht an {old} → {new}</translation>
    </message>
    <message>
        <source>{old} → {new} % kept</source>
        <translation>{old} → {new} % behalten</translation>
    </message>
    <message>
        <source>**Exact**: {questions} questions among {photographs} photographs of {index}, held against exact search ({truth}).</source>
        <translation>**Genau**: {questions} Fragen unter {photographs} Fotos von {index}, gemessen an der genauen Suche ({truth}).</translation>
    </message>
    <message>
        <source>**Nearly**, the exact figures follow: {reduced}, {photographs} photographs, held against exact search ({truth}).</source>
        <translation>**Ungefähr**, die genauen Zahlen folgen: {reduced}, {photographs} Fotos, gemessen an der genauen Suche ({truth}).</translation>
    </message>
    <message>
        <source>{old} → {new} bytes a code</source>
        <translation>{old} → {new} Bytes je Code</translation>
    </message>
    <message>
        <source>bytes unchanged</source>
        <translation>Bytes unverändert</translation>
    </message>
    <message>
        <source>nearly</source>
        <translation>ungefähr</translation>
    </message>
    <message>
        <source>Name of the new index</source>
        <translation>Name des neuen Index</translation>
    </message>
    <message>
        <source>Enter makes the index, Esc makes none</source>
        <translation>Eingabe legt den Index an, Esc keinen</translation>
    </message>
</context>
<context>
    <name>ExploreControl</name>
    <message>
        <source>Reading vectors, and finding their true neighbours…</source>
        <translation>Vektoren werden gelesen und ihre wahren Nachbarn gesucht …</translation>
    </message>
    <message>
        <source>The index {0} has no vector of that photograph; another one asks.</source>
        <translation>Der Index {0} hat von diesem Foto keinen Vektor; ein anderes fragt.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>{0} takes {1}.</source>
        <translation>{0} nimmt {1}.</translation>
    </message>
    <message>
        <source>{0} % kept</source>
        <translation>{0} % behalten</translation>
    </message>
</context>
<context>
    <name>Facts</name>
    <message>
        <source>d MMMM yyyy, HH:mm</source>
        <translation>d. MMMM yyyy, HH:mm</translation>
    </message>
</context>
<context>
    <name>FailureView</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Try to open the library again</source>
        <translation>Die Bibliothek noch einmal zu öffnen versuchen</translation>
    </message>
    <message>
        <source>Open another library…</source>
        <translation>Andere Bibliothek öffnen …</translation>
    </message>
    <message>
        <source>Open another library, or begin a new one</source>
        <translation>Eine andere Bibliothek öffnen oder eine neue beginnen</translation>
    </message>
</context>
<context>
    <name>FamilyBox</name>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Ohne</translation>
    </message>
    <message>
        <source>Nothing.</source>
        <translation>Nichts.</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiterer</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>More parameters</source>
        <translation>Weitere Parameter</translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>Weniger</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>{0} against {1}</source>
        <translation>{0} gegen {1}</translation>
    </message>
    <message>
        <source>Recall@R</source>
        <translation>Recall@R</translation>
    </message>
    <message>
        <source>recall@R</source>
        <translation>Recall@R</translation>
    </message>
    <message>
        <source>Recall@10</source>
        <translation>Recall@10</translation>
    </message>
    <message>
        <source>recall@10</source>
        <translation>Recall@10</translation>
    </message>
    <message>
        <source>recall@{0}</source>
        <translation>Recall@{0}</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Precision</translation>
    </message>
    <message>
        <source>Precision and recall</source>
        <translation>Precision und Recall</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Overlap@10</source>
        <translation>Gleich@10</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>space</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>photographs looked at</source>
        <translation>angesehene Fotos</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>bits a code</source>
        <translation>Bits je Code</translation>
    </message>
    <message>
        <source>R, photographs that are looked through</source>
        <translation>R, durchgesehene Fotos</translation>
    </message>
    <message>
        <source>recall@10, share of queries</source>
        <translation>Recall@10, Anteil der Anfragen</translation>
    </message>
    <message>
        <source>overlap@10, share of the true first 10</source>
        <translation>gleich@10, Anteil der wahren ersten 10</translation>
    </message>
    <message>
        <source>mean average precision</source>
        <translation>Mean Average Precision</translation>
    </message>
    <message>
        <source>accuracy of the vote, share of queries</source>
        <translation>Genauigkeit der Abstimmung, Anteil der Anfragen</translation>
    </message>
    <message>
        <source>time of a query, from its vector on</source>
        <translation>Zeit einer Anfrage, vom Vektor an</translation>
    </message>
    <message>
        <source>measured exactly, a query</source>
        <translation>genau gemessen, je Anfrage</translation>
    </message>
    <message>
        <source>photographs</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>space of codes and lists</source>
        <translation>Platz für Codes und Listen</translation>
    </message>
    <message>
        <source>bytes a photograph</source>
        <translation>Bytes je Foto</translation>
    </message>
    <message>
        <source>Recall against time</source>
        <translation>Recall gegen Zeit</translation>
    </message>
    <message>
        <source>Recall against bytes</source>
        <translation>Recall gegen Bytes</translation>
    </message>
    <message>
        <source>time of a question</source>
        <translation>Zeit einer Frage</translation>
    </message>
    <message>
        <source>bytes a photograph that a search goes through</source>
        <translation>Bytes je Foto, die eine Suche durchgeht</translation>
    </message>
    <message>
        <source>share of edited photographs found among the first 10</source>
        <translation>Anteil bearbeiteter Fotos unter den ersten 10</translation>
    </message>
    <message>
        <source>share of similar photographs found among the first 10</source>
        <translation>Anteil ähnlicher Fotos unter den ersten 10</translation>
    </message>
    <message>
        <source>share of matching photographs found among the first 10</source>
        <translation>Anteil passender Fotos unter den ersten 10</translation>
    </message>
    <message>
        <source>share of similar photographs found among the first 10, less the wrong ones</source>
        <translation>Anteil ähnlicher Fotos unter den ersten 10, abzüglich der falschen</translation>
    </message>
    <message>
        <source>share of matching photographs found among the first 10, less the wrong ones</source>
        <translation>Anteil passender Fotos unter den ersten 10, abzüglich der falschen</translation>
    </message>
    <message>
        <source>of the exact first 10 found</source>
        <translation>gefunden von den genauen ersten 10</translation>
    </message>
    <message>
        <source>frontier</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>genau</translation>
    </message>
    <message>
        <source>Up is more found, left is faster: nothing measured is better than the points on the line.</source>
        <translation>Oben wird mehr gefunden, links ist schneller: Nichts Gemessenes ist besser als die Punkte auf der Linie.</translation>
    </message>
    <message>
        <source>Up is more found, left is smaller: nothing measured is better than the points on the line.</source>
        <translation>Oben wird mehr gefunden, links ist kleiner: Nichts Gemessenes ist besser als die Punkte auf der Linie.</translation>
    </message>
    <message>
        <source>What low rank costs and gains</source>
        <translation>Was kleiner Rang kostet und bringt</translation>
    </message>
    <message>
        <source>Eigenvalues of the centred kernel matrix</source>
        <translation>Eigenwerte der zentrierten Kernmatrix</translation>
    </message>
    <message>
        <source>How unsure the sample leaves the leading space</source>
        <translation>Wie unsicher die Stichprobe den führenden Raum lässt</translation>
    </message>
    <message>
        <source>rank, leading components that are kept</source>
        <translation>Rang, behaltene führende Komponenten</translation>
    </message>
    <message>
        <source>recall@{0}, and share of the squared length outside</source>
        <translation>Recall@{0}, und Anteil der quadrierten Länge außerhalb</translation>
    </message>
    <message>
        <source>share of the variance along the component</source>
        <translation>Anteil der Varianz entlang der Komponente</translation>
    </message>
    <message>
        <source>estimation term, no unit</source>
        <translation>Schätzterm, ohne Einheit</translation>
    </message>
    <message>
        <source>rank {0}: best recall</source>
        <translation>Rang {0}: bester Recall</translation>
    </message>
    <message>
        <source>recall@{0}, {1}</source>
        <translation>Recall@{0}, {1}</translation>
    </message>
    <message>
        <source>outside, new items</source>
        <translation>außerhalb, neue Elemente</translation>
    </message>
    <message>
        <source>outside, new items, {0}</source>
        <translation>außerhalb, neue Elemente, {0}</translation>
    </message>
    <message>
        <source>outside, landmarks</source>
        <translation>außerhalb, Landmarken</translation>
    </message>
    <message>
        <source>outside, landmarks, {0}</source>
        <translation>außerhalb, Landmarken, {0}</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>wie er ist</translation>
    </message>
    <message>
        <source>transform, s = {0}</source>
        <translation>Transformation, s = {0}</translation>
    </message>
    <message>
        <source>What {0} bits tell of the kernel</source>
        <translation>Was {0} Bits über den Kern sagen</translation>
    </message>
    <message>
        <source>What {0} bilinear bits tell of the kernel</source>
        <translation>Was {0} bilineare Bits über den Kern sagen</translation>
    </message>
    <message>
        <source>Bits that share a projection</source>
        <translation>Bits mit gemeinsamer Projektion</translation>
    </message>
    <message>
        <source>value of the {0} kernel</source>
        <translation>Wert des {0}-Kerns</translation>
    </message>
    <message>
        <source>gaussian</source>
        <translation>Gauß</translation>
    </message>
    <message>
        <source>laplacian</source>
        <translation>Laplace</translation>
    </message>
    <message>
        <source>cauchy</source>
        <translation>Cauchy</translation>
    </message>
    <message>
        <source>share of bits that differ</source>
        <translation>Anteil verschiedener Bits</translation>
    </message>
    <message>
        <source>covariance of two bits&apos; differing, no unit</source>
        <translation>Kovarianz der Verschiedenheit zweier Bits, ohne Einheit</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
    <message>
        <source>measured: mean, deviation</source>
        <translation>gemessen: Mittel, Streuung</translation>
    </message>
    <message>
        <source>expected: mean, deviation</source>
        <translation>erwartet: Mittel, Streuung</translation>
    </message>
    <message>
        <source>expected of single codes</source>
        <translation>erwartet bei einfachen Codes</translation>
    </message>
    <message>
        <source>upper bound</source>
        <translation>obere Schranke</translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation>untere Schranke</translation>
    </message>
    <message>
        <source>lower bound, where it holds</source>
        <translation>untere Schranke, wo sie gilt</translation>
    </message>
    <message>
        <source>nothing alike: 4/π²</source>
        <translation>nichts ähnlich: 4/π²</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>a pair of items</source>
        <translation>ein Paar von Elementen</translation>
    </message>
    <message>
        <source>independent</source>
        <translation>unabhängig</translation>
    </message>
    <message>
        <source>Comparisons that norm bounds spare</source>
        <translation>Vergleiche, die Normschranken ersparen</translation>
    </message>
    <message>
        <source>Items that norm bounds put beyond a radius</source>
        <translation>Elemente, die Normschranken jenseits eines Radius wissen</translation>
    </message>
    <message>
        <source>k, nearest that are searched</source>
        <translation>k, gesuchte nächste</translation>
    </message>
    <message>
        <source>share of items, and of neighbours</source>
        <translation>Anteil der Elemente und der Nachbarn</translation>
    </message>
    <message>
        <source>radius, distance in the space of the kernel</source>
        <translation>Radius, Abstand im Raum des Kerns</translation>
    </message>
    <message>
        <source>share of items, and of those within</source>
        <translation>Anteil der Elemente und derer darin</translation>
    </message>
    <message>
        <source>bound (1), of norms</source>
        <translation>Schranke (1), der Normen</translation>
    </message>
    <message>
        <source>bound (2), the paper&apos;s</source>
        <translation>Schranke (2), der Arbeit</translation>
    </message>
    <message>
        <source>neighbours lost by (2)</source>
        <translation>durch (2) verlorene Nachbarn</translation>
    </message>
    <message>
        <source>lost by (2) within radius</source>
        <translation>durch (2) im Radius verloren</translation>
    </message>
    <message>
        <source>10th nearest, on average</source>
        <translation>10. nächstes, im Mittel</translation>
    </message>
    <message>
        <source>What each turn of the rotation gains</source>
        <translation>Was jeder Durchgang der Drehung bringt</translation>
    </message>
    <message>
        <source>Variance along each bit</source>
        <translation>Varianz entlang jedes Bits</translation>
    </message>
    <message>
        <source>Two bits before the rotation</source>
        <translation>Zwei Bits vor der Drehung</translation>
    </message>
    <message>
        <source>Two bits after the rotation</source>
        <translation>Zwei Bits nach der Drehung</translation>
    </message>
    <message>
        <source>turns of the rotation</source>
        <translation>Durchgänge der Drehung</translation>
    </message>
    <message>
        <source>share of variance</source>
        <translation>Anteil der Varianz</translation>
    </message>
    <message>
        <source>variance captured, of all</source>
        <translation>erfasste Varianz, von aller</translation>
    </message>
    <message>
        <source>lost by signs, of captured</source>
        <translation>durch Vorzeichen verloren, von erfasster</translation>
    </message>
    <message>
        <source>lost without a rotation</source>
        <translation>ohne Drehung verloren</translation>
    </message>
    <message>
        <source>bit, by falling variance</source>
        <translation>Bit, nach fallender Varianz</translation>
    </message>
    <message>
        <source>share of captured variance</source>
        <translation>Anteil der erfassten Varianz</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>the same for all</source>
        <translation>für alle gleich</translation>
    </message>
    <message>
        <source>first projected dimension</source>
        <translation>erste projizierte Dimension</translation>
    </message>
    <message>
        <source>second projected dimension</source>
        <translation>zweite projizierte Dimension</translation>
    </message>
    <message>
        <source>first bit&apos;s direction</source>
        <translation>Richtung des ersten Bits</translation>
    </message>
    <message>
        <source>second bit&apos;s direction</source>
        <translation>Richtung des zweiten Bits</translation>
    </message>
    <message>
        <source>How much each direction counts</source>
        <translation>Wie viel jede Richtung zählt</translation>
    </message>
    <message>
        <source>Distances of marked pairs without the metric</source>
        <translation>Abstände markierter Paare ohne die Metrik</translation>
    </message>
    <message>
        <source>Distances of marked pairs under the metric</source>
        <translation>Abstände markierter Paare unter der Metrik</translation>
    </message>
    <message>
        <source>direction, by falling eigenvalue</source>
        <translation>Richtung, nach fallendem Eigenwert</translation>
    </message>
    <message>
        <source>eigenvalue of A, as a multiple of the median</source>
        <translation>Eigenwert von A, als Vielfaches des Medians</translation>
    </message>
    <message>
        <source>eigenvalue of A, as a multiple of that of a direction left as it was</source>
        <translation>Eigenwert von A, als Vielfaches dessen einer unveränderten Richtung</translation>
    </message>
    <message>
        <source>distance, as a multiple of that of pairs drawn by chance</source>
        <translation>Abstand, als Vielfaches dessen zufälliger Paare</translation>
    </message>
    <message>
        <source>share of the pairs</source>
        <translation>Anteil der Paare</translation>
    </message>
    <message>
        <source>eigenvalues</source>
        <translation>Eigenwerte</translation>
    </message>
    <message>
        <source>the usual direction</source>
        <translation>die übliche Richtung</translation>
    </message>
    <message>
        <source>here {0} that stay</source>
        <translation>hier {0}, die bleiben</translation>
    </message>
    <message>
        <source>similar, {0} pairs</source>
        <translation>ähnlich, {0} Paare</translation>
    </message>
    <message>
        <source>different, {0} pairs</source>
        <translation>verschieden, {0} Paare</translation>
    </message>
    <message>
        <source>The share of queries for which the exact nearest photograph is among the first R: the further left and up, the better.</source>
        <translation>Der Anteil der Anfragen, deren genau nächstes Foto unter den ersten R ist: je weiter links und oben, desto besser.</translation>
    </message>
    <message>
        <source>The share of the right photographs that is among the first R: the further left and up, the better.</source>
        <translation>Der Anteil der richtigen Fotos unter den ersten R: je weiter links und oben, desto besser.</translation>
    </message>
    <message>
        <source>Each curve widens the Hamming radius from left to right: the higher it stays, the fewer wrong photographs come with the right ones.</source>
        <translation>Jede Kurve weitet den Hamming-Radius von links nach rechts: Je höher sie bleibt, desto weniger falsche Fotos kommen mit den richtigen.</translation>
    </message>
    <message>
        <source>Longer codes rank better and take more space: a curve that rises no more says how many bits are enough.</source>
        <translation>Längere Codes ordnen besser und brauchen mehr Platz: Eine Kurve, die nicht mehr steigt, sagt, wie viele Bits genügen.</translation>
    </message>
    <message>
        <source>Where a curve is highest, {0} is best for these photographs; bars are deviations over seeds.</source>
        <translation>Wo eine Kurve am höchsten ist, ist {0} für diese Fotos am besten; Balken sind Streuungen über Startwerte.</translation>
    </message>
    <message>
        <source>The further left and up, the better: a point above and left of another finds more in less time.</source>
        <translation>Je weiter links und oben, desto besser: Ein Punkt links über einem anderen findet mehr in weniger Zeit.</translation>
    </message>
    <message>
        <source>How many candidates are measured exactly for each query, and how much of the truth they hold: left and up is better.</source>
        <translation>Wie viele Kandidaten je Anfrage genau gemessen werden, und wie viel vom Wahren sie enthalten: Links und oben ist besser.</translation>
    </message>
    <message>
        <source>Space that a photograph takes in the index, and how well its codes rank: left and up is better.</source>
        <translation>Platz, den ein Foto im Index braucht, und wie gut seine Codes ordnen: Links und oben ist besser.</translation>
    </message>
    <message>
        <source>Codes of {0} bits; {1} other rows are in the table.</source>
        <translation>Codes von {0} Bit; {1} weitere Zeilen stehen in der Tabelle.</translation>
    </message>
    <message>
        <source>{0} photographs, {1} queries.</source>
        <translation>{0} Fotos, {1} Anfragen.</translation>
    </message>
    <message>
        <source>{0}: {1} photographs, {2} queries.</source>
        <translation>{0}: {1} Fotos, {2} Anfragen.</translation>
    </message>
    <message>
        <source>Right answers: {0}.</source>
        <translation>Richtige Antworten: {0}.</translation>
    </message>
    <message>
        <source>what exact search by the {0} kernel finds</source>
        <translation>was die exakte Suche mit dem Kern „{0}“ findet</translation>
    </message>
    <message>
        <source>what exact search by the {0} kernel with {1} finds</source>
        <translation>was die exakte Suche mit dem Kern „{0}“ ({1}) findet</translation>
    </message>
    <message>
        <source>what exact search by Euclidean distance finds</source>
        <translation>was die exakte Suche nach euklidischem Abstand findet</translation>
    </message>
    <message>
        <source>what exact search by cosine finds</source>
        <translation>was die exakte Suche nach dem Kosinus findet</translation>
    </message>
    <message>
        <source>what exact search by the metric finds</source>
        <translation>was die exakte Suche mit der Metrik findet</translation>
    </message>
    <message>
        <source>what is marked as similar</source>
        <translation>was als ähnlich markiert ist</translation>
    </message>
    <message>
        <source>what is in the same folder</source>
        <translation>was im selben Ordner liegt</translation>
    </message>
    <message>
        <source>what has the same label</source>
        <translation>was dieselbe Bezeichnung hat</translation>
    </message>
    <message>
        <source>the photograph that was edited ({0})</source>
        <translation>das Foto, das bearbeitet wurde ({0})</translation>
    </message>
    <message>
        <source>histogram intersection</source>
        <translation>Histogrammschnitt</translation>
    </message>
    <message>
        <source>chi-square</source>
        <translation>Chi-Quadrat</translation>
    </message>
    <message>
        <source>One seed.</source>
        <translation>Ein Startwert.</translation>
    </message>
    <message>
        <source>Mean and standard deviation of {0} seeds.</source>
        <translation>Mittel und Standardabweichung über {0} Startwerte.</translation>
    </message>
    <message>
        <source>{0} of {1} steps are measured.</source>
        <translation>{0} von {1} Schritten sind gemessen.</translation>
    </message>
    <message>
        <source>Precision and recall count the first {0} of them.</source>
        <translation>Precision und Recall zählen die ersten {0} davon.</translation>
    </message>
    <message>
        <source>So far: {0}</source>
        <translation>Bis jetzt: {0}</translation>
    </message>
    <message>
        <source>All find about as much: {0} {1} to {2}.</source>
        <translation>Alle finden etwa gleich viel: {0} {1} bis {2}.</translation>
    </message>
    <message>
        <source>{0} finds most: {1}; {2} least: {3}.</source>
        <translation>{0} findet am meisten: {1}; {2} am wenigsten: {3}.</translation>
    </message>
    <message>
        <source>{0} finds as much in {1} bytes a photograph instead of {2}.</source>
        <translation>{0} findet ebenso viel mit {1} Bytes je Foto statt {2}.</translation>
    </message>
    <message>
        <source>{0} come as near as chance can tell.</source>
        <translation>{0}: so nah, dass der Zufall sie nicht unterscheidet.</translation>
    </message>
    <message>
        <source>{0} and {1} more come as near as chance can tell.</source>
        <translation>{0} und {1} weitere: so nah, dass der Zufall sie nicht unterscheidet.</translation>
    </message>
    <message>
        <source>{0} finds most: {1}, in {2} a query; no other is much quicker.</source>
        <translation>{0} findet am meisten: {1}, in {2} je Anfrage; nichts ist viel schneller.</translation>
    </message>
    <message>
        <source>{0} finds most: {1}, in {2} a query; {3} is quickest: {4}, in {5}.</source>
        <translation>{0} findet am meisten: {1}, in {2} je Anfrage; am schnellsten ist {3}: {4}, in {5}.</translation>
    </message>
    <message>
        <source>{0} photographs of the index “{1}” ({2}).</source>
        <translation>{0} Fotos des Index „{1}“ ({2}).</translation>
    </message>
    <message>
        <source>A sample of {0} of {1} photographs of the index “{2}” ({3}), drawn with seed {4}.</source>
        <translation>Eine Stichprobe von {0} aus {1} Fotos des Index „{2}“ ({3}), gezogen mit Startwert {4}.</translation>
    </message>
    <message>
        <source>{0} marked pairs; {1} photographs, drawn with seed {2}, for comparison.</source>
        <translation>{0} markierte Paare; zum Vergleich {1} Fotos, gezogen mit Startwert {2}.</translation>
    </message>
    <message>
        <source>Nothing that was measured finds any of it among the first 10 answers: learn from marks, or make an index that compares something else.</source>
        <translation>Nichts Gemessenes findet etwas davon unter den ersten 10 Antworten: aus Markierungen lernen oder einen Index anlegen, der anderes vergleicht.</translation>
    </message>
    <message>
        <source>Your library has {0} photographs: exact search takes {1}, hash nothing.</source>
        <translation>Ihre Bibliothek hat {0} Fotos: Die genaue Suche dauert {1}, Hashing ist unnötig.</translation>
    </message>
    <message>
        <source>Your library has {0} photographs: exact search takes {1}, and no index is felt to be faster.</source>
        <translation>Ihre Bibliothek hat {0} Fotos: Die genaue Suche dauert {1}, und kein Index ist spürbar schneller.</translation>
    </message>
    <message>
        <source>To learn these would have taken longer than was left, as far as the others tell: {0}.</source>
        <translation>Diese zu lernen hätte länger gedauert, als noch Zeit war, soweit die anderen es sagen: {0}.</translation>
    </message>
    <message>
        <source>It finds {0} of what exact search finds, in {1} B a photograph.</source>
        <translation>Er findet {0} dessen, was die genaue Suche findet, mit {1} B je Foto.</translation>
    </message>
    <message>
        <source>It finds {0} of what exact search finds, {1} times as fast ({2}), in {3} B a photograph instead of {4} B.</source>
        <translation>Er findet {0} dessen, was die genaue Suche findet, {1}-mal so schnell ({2}), mit {3} B je Foto statt {4} B.</translation>
    </message>
    <message>
        <source>It finds {0} of what exact search finds, {1} times as slow ({2}), in {3} B a photograph instead of {4} B.</source>
        <translation>Er findet {0} dessen, was die genaue Suche findet, {1}-mal so langsam ({2}), mit {3} B je Foto statt {4} B.</translation>
    </message>
    <message>
        <source>Of the edited photographs {0} are among the first 10 answers.</source>
        <translation>Von den bearbeiteten Fotos sind {0} unter den ersten 10 Antworten.</translation>
    </message>
    <message>
        <source>Of what should match {0} are among the first 10 answers.</source>
        <translation>Von dem, was zusammengehört, sind {0} unter den ersten 10 Antworten.</translation>
    </message>
    <message>
        <source>Of what should not match {0} is among them.</source>
        <translation>Von dem, was nicht zusammengehört, sind {0} darunter.</translation>
    </message>
    <message>
        <source>By {0} exact search has {1}, in {2}.</source>
        <translation>Nach anderem ({0}) hat die genaue Suche {1}, in {2}.</translation>
    </message>
    <message>
        <source>More bits ({0}) would gain {1} and cost {2}x.</source>
        <translation>Mehr Bits ({0}) brächten {1} und kosteten {2}-mal so viel.</translation>
    </message>
    <message>
        <source>More bits ({0}) would lose {1} and cost {2}x.</source>
        <translation>Mehr Bits ({0}) verlören {1} und kosteten {2}-mal so viel.</translation>
    </message>
    <message>
        <source>More bits ({0}) would change nothing and cost {1}x.</source>
        <translation>Mehr Bits ({0}) änderten nichts und kosteten {1}-mal so viel.</translation>
    </message>
    <message>
        <source>Fewer bits ({0}) would gain {1} and cost {2}x.</source>
        <translation>Weniger Bits ({0}) brächten {1} und kosteten {2}-mal so viel.</translation>
    </message>
    <message>
        <source>Fewer bits ({0}) would lose {1} and cost {2}x.</source>
        <translation>Weniger Bits ({0}) verlören {1} und kosteten {2}-mal so viel.</translation>
    </message>
    <message>
        <source>Fewer bits ({0}) would change nothing and cost {1}x.</source>
        <translation>Weniger Bits ({0}) änderten nichts und kosteten {1}-mal so viel.</translation>
    </message>
    <message>
        <source>With ten times as many photographs it takes about {0}.</source>
        <translation>Mit zehnmal so vielen Fotos dauert es etwa {0}.</translation>
    </message>
    <message>
        <source>With ten times as many photographs it takes about {0}; then choose {1} with {2}: about {3}, and what it finds is to be measured then.</source>
        <translation>Mit zehnmal so vielen Fotos dauert es etwa {0}; dann {1} mit {2} wählen: etwa {3}, und was er findet, ist dann zu messen.</translation>
    </message>
    <message>
        <source>The library has it: “{0}”.</source>
        <translation>Die Bibliothek hat ihn: „{0}“.</translation>
    </message>
    <message>
        <source>Your current index finds as much and is as fast. No change needed.</source>
        <translation>Ihr jetziger Index findet ebenso viel und ist ebenso schnell. Keine Änderung nötig.</translation>
    </message>
    <message>
        <source>“{0}”, which the library has, finds as much and is as fast.</source>
        <translation>„{0}“ aus der Bibliothek findet ebenso viel und ist ebenso schnell.</translation>
    </message>
    <message>
        <source>There was no time to search all {0} photographs: recall is of {1} of them, times are reckoned for all.</source>
        <translation>Die Zeit reichte nicht, alle {0} Fotos zu durchsuchen: Der Recall gilt für {1} davon, Zeiten sind für alle hochgerechnet.</translation>
    </message>
    <message>
        <source>There was time for {0} questions of {1}.</source>
        <translation>Die Zeit reichte für {0} Fragen von {1}.</translation>
    </message>
    <message>
        <source>Not everything was tried in the time; more time may find a better one.</source>
        <translation>Nicht alles wurde in der Zeit versucht; mehr Zeit findet vielleicht einen besseren.</translation>
    </message>
    <message>
        <source>A time is near a limit between classes (at once: under 50 ms; soon: under 200 ms; a moment: under a second; long: more): another run may propose another index.</source>
        <translation>Eine Zeit liegt nah an einer Klassengrenze (sofort: unter 50 ms; bald: unter 200 ms; ein Moment: unter einer Sekunde; lang: mehr): Ein anderer Lauf empfiehlt vielleicht einen anderen Index.</translation>
    </message>
    <message>
        <source>Indexes alone are measured.</source>
        <translation>Gemessen werden nur Indexe.</translation>
    </message>
    <message>
        <source>A search that also checks its first results point by point can find more of the edited copies, whichever index it asks.</source>
        <translation>Eine Suche, die ihre ersten Treffer auch Punkt für Punkt prüft, kann mehr der bearbeiteten Kopien finden, welchen Index sie auch fragt.</translation>
    </message>
    <message>
        <source>{0} questions decide little: name or mark more pairs.</source>
        <translation>{0} Fragen entscheiden wenig: mehr Paare nennen oder markieren.</translation>
    </message>
    <message>
        <source>Compiling loops</source>
        <translation>Schleifen werden übersetzt</translation>
    </message>
    <message>
        <source>Making edited copies</source>
        <translation>Bearbeitete Kopien werden gemacht</translation>
    </message>
    <message>
        <source>{0}, seed {1}</source>
        <translation>{0}, Startwert {1}</translation>
    </message>
    <message>
        <source>Eigenvalues</source>
        <translation>Eigenwerte</translation>
    </message>
    <message>
        <source>Comparing codes</source>
        <translation>Codes werden verglichen</translation>
    </message>
    <message>
        <source>Bilinear codes</source>
        <translation>Bilineare Codes</translation>
    </message>
    <message>
        <source>Spectra of differences</source>
        <translation>Spektren der Unterschiede</translation>
    </message>
    <message>
        <source>Expected distances</source>
        <translation>Erwartete Abstände</translation>
    </message>
    <message>
        <source>Bounds of all pairs</source>
        <translation>Schranken aller Paare</translation>
    </message>
    <message>
        <source>Directions of the metric</source>
        <translation>Richtungen der Metrik</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>Abstände</translation>
    </message>
    <message>
        <source>The line is of what was asked {0} questions; the others were asked fewer, and may find as much by chance.</source>
        <translation>Die Linie ist von dem, was {0} Fragen gestellt bekam; die anderen bekamen weniger und finden vielleicht nur zufällig ebenso viel.</translation>
    </message>
    <message>
        <source>More components leave less outside, but the later ones are noise: {0} results hold the nearest item in {1} of searches at rank {2}, and in {3} with all {4}.</source>
        <translation>Mehr Komponenten lassen weniger außerhalb, doch die späteren sind Rauschen: {0} Ergebnisse enthalten das nächste Element in {1} der Suchen bei Rang {2}, und in {3} mit allen {4}.</translation>
    </message>
    <message>
        <source>More components leave less outside; here recall stays as good up to all {0} of them: {1} results hold the nearest item in {2} of searches at rank {3}, {4} at the end.</source>
        <translation>Mehr Komponenten lassen weniger außerhalb; hier bleibt der Recall bis zu allen {0} gleich gut: {1} Ergebnisse enthalten das nächste Element in {2} der Suchen bei Rang {3}, in {4} am Ende.</translation>
    </message>
    <message>
        <source>Where dashed lies above dotted, the sample does not know the space of new items.</source>
        <translation>Wo gestrichelt über gepunktet liegt, kennt die Stichprobe den Raum neuer Elemente nicht.</translation>
    </message>
    <message>
        <source>Bars: least and most.</source>
        <translation>Balken: kleinster und größter Wert.</translation>
    </message>
    <message>
        <source>Kernel {0}, {1} landmarks, {2} bits, {3} held-out queries, {4} splits.</source>
        <translation>Kern {0}, {1} Landmarken, {2} Bit, {3} zurückgehaltene Anfragen, {4} Aufteilungen.</translation>
    </message>
    <message>
        <source>The steeper the fall, the fewer components tell the items apart: the first {0} of {1} hold half of the variance.</source>
        <translation>Je steiler der Fall, desto weniger Komponenten unterscheiden die Elemente: Die ersten {0} von {1} enthalten die halbe Varianz.</translation>
    </message>
    <message>
        <source>The transform flattens the curve.</source>
        <translation>Die Transformation macht die Kurve flacher.</translation>
    </message>
    <message>
        <source>1 / (δ √m), with δ half the gap behind a component and m landmarks: where the line rises, neighbouring components can hardly be told apart, and those kept are partly chance.</source>
        <translation>1 / (δ √m), mit δ als halber Lücke hinter einer Komponente und m Landmarken: Wo die Linie steigt, sind benachbarte Komponenten kaum zu unterscheiden, und die behaltenen sind teils Zufall.</translation>
    </message>
    <message>
        <source>Median of neighbouring ranks.</source>
        <translation>Median benachbarter Ränge.</translation>
    </message>
    <message>
        <source>Each pair of items is a place in the cloud: the more alike, the further right and the fewer bits differ.</source>
        <translation>Jedes Paar von Elementen ist ein Ort in der Wolke: je ähnlicher, desto weiter rechts und desto weniger Bits verschieden.</translation>
    </message>
    <message>
        <source>Its middle follows the expected curve, {0} off at most.</source>
        <translation>Ihre Mitte folgt der erwarteten Kurve, höchstens {0} daneben.</translation>
    </message>
    <message>
        <source>Kernel width gamma = {0}; single codes.</source>
        <translation>Kernbreite Gamma = {0}; einfache Codes.</translation>
    </message>
    <message>
        <source>As for single codes, but bits share projections, and what is expected depends on the shape of a difference, too: it lies below the curve of single codes, more for some pairs than for others.</source>
        <translation>Wie bei einfachen Codes, doch teilen sich Bits Projektionen, und das Erwartete hängt auch von der Form eines Unterschieds ab: Es liegt unter der Kurve einfacher Codes, bei manchen Paaren mehr als bei anderen.</translation>
    </message>
    <message>
        <source>The lower bound&apos;s condition, a largest eigenvalue of at most {0}, holds for {1} of pairs drawn by chance.</source>
        <translation>Die Bedingung der unteren Schranke, ein größter Eigenwert von höchstens {0}, gilt für {1} zufällig gezogener Paare.</translation>
    </message>
    <message>
        <source>Vectors are laid out as {0} x {1}.</source>
        <translation>Vektoren sind als {0} x {1} angeordnet.</translation>
    </message>
    <message>
        <source>0 means that one of two bits tells nothing of the other.</source>
        <translation>0 heißt, dass eines von zwei Bits nichts über das andere sagt.</translation>
    </message>
    <message>
        <source>They vary together most at kernel values about {0}, and hardly for near items: there, sharing projections costs nothing.</source>
        <translation>Am meisten schwanken sie bei Kernwerten um {0} gemeinsam, bei nahen Elementen kaum: Dort kosten gemeinsame Projektionen nichts.</translation>
    </message>
    <message>
        <source>A bit&apos;s own variance is about {0} for items that are not alike.</source>
        <translation>Die Varianz eines Bits selbst ist bei unähnlichen Elementen etwa {0}.</translation>
    </message>
    <message>
        <source>Drawn are up to {0} pairs of each of {1} stretches of the kernel&apos;s values.</source>
        <translation>Gezogen sind bis zu {0} Paare aus jedem von {1} Abschnitten der Kernwerte.</translation>
    </message>
    <message>
        <source>Under this kernel all items have about the same norm, so no bound spares anything.</source>
        <translation>Unter diesem Kern haben alle Elemente etwa dieselbe Norm, also erspart keine Schranke etwas.</translation>
    </message>
    <message>
        <source>With k = {0}, bound (1) spares {1} of the comparisons and loses none; bound (2) spares {2}, but is not true, and loses up to {3} of neighbours.</source>
        <translation>Bei k = {0} erspart Schranke (1) {1} der Vergleiche und verliert nichts; Schranke (2) erspart {2}, gilt aber nicht und verliert bis zu {3} der Nachbarn.</translation>
    </message>
    <message>
        <source>All items have about the same norm here, so no bound puts any beyond a radius.</source>
        <translation>Alle Elemente haben hier etwa dieselbe Norm, also weiß keine Schranke eines jenseits eines Radius.</translation>
    </message>
    <message>
        <source>The larger the radius that is searched, the fewer items a bound can put beyond it unseen; bound (1) never loses one that is within, bound (2) does where its dotted line is above 0.</source>
        <translation>Je größer der durchsuchte Radius, desto weniger Elemente kann eine Schranke ungesehen jenseits davon wissen; Schranke (1) verliert nie eines darin, Schranke (2) dort, wo ihre gepunktete Linie über 0 liegt.</translation>
    </message>
    <message>
        <source>Kernel {0}, {1} held-out queries.</source>
        <translation>Kern {0}, {1} zurückgehaltene Anfragen.</translation>
    </message>
    <message>
        <source>Every turn brings the projections nearer to their signs: at the end signs lose {0} of what the {1} directions hold, less than without a rotation ({2}).</source>
        <translation>Jeder Durchgang bringt die Projektionen ihren Vorzeichen näher: Am Ende verlieren Vorzeichen {0} dessen, was die {1} Richtungen enthalten, weniger als ohne Drehung ({2}).</translation>
    </message>
    <message>
        <source>Every turn brings the projections nearer to their signs: at the end signs lose {0} of what the {1} directions hold, no less than without a rotation ({2}).</source>
        <translation>Jeder Durchgang bringt die Projektionen ihren Vorzeichen näher: Am Ende verlieren Vorzeichen {0} dessen, was die {1} Richtungen enthalten, nicht weniger als ohne Drehung ({2}).</translation>
    </message>
    <message>
        <source>Lost at the scale of signs that suits best.</source>
        <translation>Verloren beim bestpassenden Maßstab der Vorzeichen.</translation>
    </message>
    <message>
        <source>The quantisation error |B - VR|² falls from {0} to {1} an item.</source>
        <translation>Der Quantisierungsfehler |B - VR|² fällt von {0} auf {1} je Element.</translation>
    </message>
    <message>
        <source>Rotating leaves the captured variance as it is.</source>
        <translation>Das Drehen lässt die erfasste Varianz, wie sie ist.</translation>
    </message>
    <message>
        <source>Before the rotation the first direction holds {0} of what is captured and the last {1}, though each gets one bit; after it, from {2} to {3}.</source>
        <translation>Vor der Drehung enthält die erste Richtung {0} des Erfassten und die letzte {1}, obwohl jede ein Bit bekommt; danach {2} bis {3}.</translation>
    </message>
    <message>
        <source>{0} of all variance is captured.</source>
        <translation>{0} aller Varianz ist erfasst.</translation>
    </message>
    <message>
        <source>The same points, turned so that they lie nearer to the corners of a square: {0} of the coordinates are close to a border, where {1} were.</source>
        <translation>Dieselben Punkte, so gedreht, dass sie näher an den Ecken eines Quadrats liegen: {0} der Koordinaten sind nah an einer Grenze, vorher waren es {1}.</translation>
    </message>
    <message>
        <source>Each quadrant is a code.</source>
        <translation>Jeder Quadrant ist ein Code.</translation>
    </message>
    <message>
        <source>Points close to a border, {0} of the coordinates here, get another code than neighbours just across it.</source>
        <translation>Punkte nah an einer Grenze, hier {0} der Koordinaten, bekommen einen anderen Code als Nachbarn gleich dahinter.</translation>
    </message>
    <message>
        <source>With two bits alone, so that the whole rotation lies in the picture; {0} points drawn.</source>
        <translation>Mit nur zwei Bits, damit die ganze Drehung im Bild liegt; {0} Punkte gezeichnet.</translation>
    </message>
    <message>
        <source>Close: within {0} of the root mean square.</source>
        <translation>Nah: innerhalb von {0} des quadratischen Mittels.</translation>
    </message>
    <message>
        <source>Above 1 a direction is stretched, below it is shrunk: {0} of {1} are stretched, the first {2} times, and {3} are shrunk.</source>
        <translation>Über 1 ist eine Richtung gestreckt, darunter gestaucht: {0} von {1} sind gestreckt, die erste {2}-fach, und {3} sind gestaucht.</translation>
    </message>
    <message>
        <source>Lengths are the roots: 4 makes a difference count twice as long.</source>
        <translation>Längen sind die Wurzeln: Bei 4 zählt ein Unterschied doppelt so lang.</translation>
    </message>
    <message>
        <source>{0} are within 1 % of the usual.</source>
        <translation>{0} weichen höchstens 1 % vom Üblichen ab.</translation>
    </message>
    <message>
        <source>{0} do not count at all, and are drawn at {1}.</source>
        <translation>{0} zählen gar nicht und sind bei {1} gezeichnet.</translation>
    </message>
    <message>
        <source>Drawn are the directions that were learned; all others of the kernel&apos;s space count as they did.</source>
        <translation>Gezeichnet sind die gelernten Richtungen; alle anderen im Raum des Kerns zählen wie zuvor.</translation>
    </message>
    <message>
        <source>Those that stay are left out of the drawing.</source>
        <translation>Die bleiben, sind in der Zeichnung ausgelassen.</translation>
    </message>
    <message>
        <source>Distances of the marked pairs; there are none of the other kind to compare with.</source>
        <translation>Abstände der markierten Paare; von der anderen Art gibt es keine zum Vergleichen.</translation>
    </message>
    <message>
        <source>The less the two overlap, the better distances tell them apart.</source>
        <translation>Je weniger sich die zwei überlappen, desto besser unterscheiden Abstände sie.</translation>
    </message>
    <message>
        <source>A similar pair is nearer than a different one in {0} of cases.</source>
        <translation>Ein ähnliches Paar ist in {0} der Fälle näher als ein verschiedenes.</translation>
    </message>
    <message>
        <source>A similar pair is nearer than a different one in {0} of cases; without it, in {1}.</source>
        <translation>Ein ähnliches Paar ist in {0} der Fälle näher als ein verschiedenes; ohne sie in {1}.</translation>
    </message>
    <message>
        <source>The less the two overlap, the better.</source>
        <translation>Je weniger sich die zwei überlappen, desto besser.</translation>
    </message>
    <message>
        <source>The pairs that a metric was learned from are told apart better than others.</source>
        <translation>Die Paare, aus denen eine Metrik gelernt wurde, werden besser unterschieden als andere.</translation>
    </message>
    <message>
        <source>Low rank helps: with the first {0} of {1} components, {2} results hold the nearest photograph in {3} of searches; with all of them, in {4}.</source>
        <translation>Kleiner Rang hilft: Mit den ersten {0} von {1} Komponenten enthalten {2} Ergebnisse das nächste Foto in {3} der Suchen; mit allen in {4}.</translation>
    </message>
    <message>
        <source>Low rank helps a little, if at all: with the first {0} of {1} components, {2} results hold the nearest photograph in {3} of searches; with all of them, in {4}.</source>
        <translation>Kleiner Rang hilft allenfalls ein wenig: Mit den ersten {0} von {1} Komponenten enthalten {2} Ergebnisse das nächste Foto in {3} der Suchen; mit allen in {4}.</translation>
    </message>
    <message>
        <source>One run differs from another by up to {0}.</source>
        <translation>Ein Lauf weicht vom anderen um bis zu {0} ab.</translation>
    </message>
    <message>
        <source>Low rank gains little here: recall stays at {0} up to all {1} components, and is at most {2}, at rank {3}.</source>
        <translation>Kleiner Rang bringt hier wenig: Der Recall bleibt bei {0} bis zu allen {1} Komponenten und ist höchstens {2}, bei Rang {3}.</translation>
    </message>
    <message>
        <source>Rank {0} already comes within one percent of the best.</source>
        <translation>Schon Rang {0} kommt bis auf ein Prozent an den besten heran.</translation>
    </message>
    <message>
        <source>Rank {0} holds {1} of the variance of the landmarks, and {2} of other photographs: the components know the sample better than what it stands for.</source>
        <translation>Rang {0} enthält {1} der Varianz der Landmarken und {2} der anderer Fotos: Die Komponenten kennen die Stichprobe besser als das, wofür sie steht.</translation>
    </message>
    <message>
        <source>Rank {0} holds {1} of the variance of the landmarks, and {2} of other photographs: the sample stands well for the others.</source>
        <translation>Rang {0} enthält {1} der Varianz der Landmarken und {2} der anderer Fotos: Die Stichprobe steht gut für die anderen.</translation>
    </message>
    <message>
        <source>The transform with s = {0} helps: {1} at its best rank, {2}.</source>
        <translation>Die Transformation mit s = {0} hilft: {1} bei ihrem besten Rang, {2}.</translation>
    </message>
    <message>
        <source>The transform with s = {0} harms: {1} at its best rank, {2}.</source>
        <translation>Die Transformation mit s = {0} schadet: {1} bei ihrem besten Rang, {2}.</translation>
    </message>
    <message>
        <source>The transform with s = {0} changes little: {1} at its best rank, {2}.</source>
        <translation>Die Transformation mit s = {0} ändert wenig: {1} bei ihrem besten Rang, {2}.</translation>
    </message>
    <message>
        <source>rank {0} of {1}: {2}, all: {3}</source>
        <translation>Rang {0} von {1}: {2}, alle: {3}</translation>
    </message>
    <message>
        <source>The share of {0} bits that differ follows theory: it is {1} off on average where it is worst, and single pairs scatter by {2}.</source>
        <translation>Der Anteil verschiedener unter {0} Bits folgt der Theorie: Im Mittel liegt er, wo es am schlechtesten ist, {1} daneben, und einzelne Paare streuen um {2}.</translation>
    </message>
    <message>
        <source>A kernel value of 0.9 can so be read off to within about {0}; four times the bits halve that.</source>
        <translation>Ein Kernwert von 0.9 lässt sich so auf etwa {0} genau ablesen; viermal so viele Bits halbieren das.</translation>
    </message>
    <message>
        <source>Bilinear bits, which need far fewer random numbers, keep to their own curve as well (on average {0} off).</source>
        <translation>Bilineare Bits, die viel weniger Zufallszahlen brauchen, halten sich ebenso gut an ihre eigene Kurve (im Mittel {0} daneben).</translation>
    </message>
    <message>
        <source>Bilinear bits, which need far fewer random numbers, keep to their own curve less well (on average {0} off).</source>
        <translation>Bilineare Bits, die viel weniger Zufallszahlen brauchen, halten sich weniger gut an ihre eigene Kurve (im Mittel {0} daneben).</translation>
    </message>
    <message>
        <source>{0} bits: {1} off at most, ± {2}</source>
        <translation>{0} Bits: höchstens {1} daneben, ± {2}</translation>
    </message>
    <message>
        <source>Norm bounds spare nothing here: under this kernel all photographs have nearly the same norm, so norms tell none apart.</source>
        <translation>Normschranken ersparen hier nichts: Unter diesem Kern haben alle Fotos fast dieselbe Norm, also unterscheiden Normen keine.</translation>
    </message>
    <message>
        <source>Try the polynomial kernel on an index whose vectors are not made of length 1.</source>
        <translation>Versuchen Sie den Polynomkern an einem Index, dessen Vektoren nicht auf Länge 1 gebracht sind.</translation>
    </message>
    <message>
        <source>Searching the {0} nearest, bound (1) spares {1} of the comparisons and loses none.</source>
        <translation>Bei der Suche nach den {0} nächsten erspart Schranke (1) {1} der Vergleiche und verliert nichts.</translation>
    </message>
    <message>
        <source>The paper&apos;s bound (2) spares {0}, but it is not true: it loses {1} of neighbours.</source>
        <translation>Schranke (2) der Arbeit erspart {0}, gilt aber nicht: Sie verliert {1} der Nachbarn.</translation>
    </message>
    <message>
        <source>The paper&apos;s bound (2) spares {0}, and loses {1} of neighbours.</source>
        <translation>Schranke (2) der Arbeit erspart {0} und verliert {1} der Nachbarn.</translation>
    </message>
    <message>
        <source>spare nothing: all norms are alike</source>
        <translation>ersparen nichts: alle Normen gleich</translation>
    </message>
    <message>
        <source>{0} spared; paper&apos;s: {1}, {2} lost</source>
        <translation>{0} erspart; die der Arbeit: {1}, {2} verloren</translation>
    </message>
    <message>
        <source>Signs lose {0} of what the directions hold without a rotation, {1} after one by chance, and {2} after {3} turns of learning.</source>
        <translation>Vorzeichen verlieren {0} dessen, was die Richtungen enthalten, ohne Drehung, {1} nach einer zufälligen und {2} nach {3} Durchgängen des Lernens.</translation>
    </message>
    <message>
        <source>The rotation moves variance, and adds none: {0} of all is captured throughout, but the largest share of one bit falls from {1} to {2}, so that every bit tells about as much.</source>
        <translation>Die Drehung verschiebt Varianz und fügt keine hinzu: Erfasst sind stets {0} von aller, doch der größte Anteil eines Bits fällt von {1} auf {2}, sodass jedes Bit etwa gleich viel sagt.</translation>
    </message>
    <message>
        <source>signs lose {0} instead of {1}</source>
        <translation>Vorzeichen verlieren {0} statt {1}</translation>
    </message>
    <message>
        <source>Of {0} learned directions {1} are stretched, the first {2} times as much as the usual one, and {3} are shrunk; the others stay.</source>
        <translation>Von {0} gelernten Richtungen sind {1} gestreckt, die erste {2}-mal so sehr wie die übliche, und {3} gestaucht; die anderen bleiben.</translation>
    </message>
    <message>
        <source>Of {0} directions {1} are stretched, the first {2} times as much as the usual one, and {3} are shrunk; the others stay.</source>
        <translation>Von {0} Richtungen sind {1} gestreckt, die erste {2}-mal so sehr wie die übliche, und {3} gestaucht; die anderen bleiben.</translation>
    </message>
    <message>
        <source>A pair marked as similar is nearer than one marked as different in {0} of cases, {1} before.</source>
        <translation>Ein als ähnlich markiertes Paar ist in {0} der Fälle näher als ein als verschieden markiertes, zuvor in {1}.</translation>
    </message>
    <message>
        <source>Most of these pairs it was learned from: of others expect less.</source>
        <translation>Aus den meisten dieser Paare ist sie gelernt: Von anderen ist weniger zu erwarten.</translation>
    </message>
    <message>
        <source>{0} directions stretched</source>
        <translation>{0} Richtungen gestreckt</translation>
    </message>
    <message>
        <source>{0} of pairs told apart, {1} before</source>
        <translation>{0} der Paare unterschieden, zuvor {1}</translation>
    </message>
</context>
<context>
    <name>FiguresControl</name>
    <message>
        <source>Write the charts into which folder?</source>
        <translation>In welchen Ordner die Diagramme schreiben?</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>Write the chart as</source>
        <translation>Das Diagramm schreiben als</translation>
    </message>
    <message>
        <source>Written to {0}</source>
        <translation>Geschrieben nach {0}</translation>
    </message>
    <message>
        <source>“{0}” is in the clipboard as a picture</source>
        <translation>„{0}“ ist als Bild in der Zwischenablage</translation>
    </message>
</context>
<context>
    <name>FilterPanel</name>
    <message>
        <source>Narrow down</source>
        <translation>Eingrenzen</translation>
    </message>
    <message>
        <source>clear</source>
        <translation>leeren</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter löschen</translation>
    </message>
    <message>
        <source>Clear all filters (Ctrl+Shift+Backspace)</source>
        <translation>Alle Filter löschen (Strg+Umschalt+Rücktaste)</translation>
    </message>
    <message>
        <source>Any folder</source>
        <translation>Jeder Ordner</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Any date</source>
        <translation>Jedes Datum</translation>
    </message>
    <message>
        <source>Since {date}</source>
        <translation>Seit {date}</translation>
    </message>
    <message>
        <source>Until {date}</source>
        <translation>Bis {date}</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Any camera</source>
        <translation>Jede Kamera</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Orientation</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Markierungen</translation>
    </message>
    <message>
        <source>Any shape</source>
        <translation>Jedes Format</translation>
    </message>
    <message>
        <source>Landscape only</source>
        <translation>Nur Querformat</translation>
    </message>
    <message>
        <source>Portrait only</source>
        <translation>Nur Hochformat</translation>
    </message>
    <message>
        <source>Square only</source>
        <translation>Nur quadratisch</translation>
    </message>
    <message>
        <source>Marked or not</source>
        <translation>Markiert oder nicht</translation>
    </message>
    <message>
        <source>Marked only</source>
        <translation>Nur markierte</translation>
    </message>
    <message>
        <source>Marked similar only</source>
        <translation>Nur als ähnlich markierte</translation>
    </message>
    <message>
        <source>Marked different only</source>
        <translation>Nur als verschieden markierte</translation>
    </message>
    <message>
        <source>Unknown camera</source>
        <translation>Unbekannte Kamera</translation>
    </message>
</context>
<context>
    <name>Forgetting</name>
    <message>
        <source>Removing {0} from the library…</source>
        <translation>{0} wird aus der Bibliothek entfernt…</translation>
    </message>
    <message numerus="yes">
        <source>“{0}” is back in the library, with %n photo(s).</source>
        <translation>
            <numerusform>„{0}“ ist wieder in der Bibliothek, mit %n Foto.</numerusform>
            <numerusform>„{0}“ ist wieder in der Bibliothek, mit %n Fotos.</numerusform>
        </translation>
    </message>
    <message>
        <source>Bringing back {0}…</source>
        <translation>{0} wird zurückgeholt…</translation>
    </message>
    <message numerus="yes">
        <source>“{0}” and its %n photo(s) are no longer in the library. The files are untouched.</source>
        <translation>
            <numerusform>„{0}“ mit %n Foto ist nicht mehr in der Bibliothek. Die Datei ist unberührt.</numerusform>
            <numerusform>„{0}“ mit %n Fotos ist nicht mehr in der Bibliothek. Die Dateien sind unberührt.</numerusform>
        </translation>
    </message>
    <message>
        <source>You can undo this until you close Twinlens.</source>
        <translation>Das lässt sich rückgängig machen, bis Sie Twinlens schließen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Frame</name>
    <message>
        <source>{0} photographs</source>
        <translation>{0} Fotos</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be read</source>
        <translation>
            <numerusform>%n Datei konnte nicht gelesen werden</numerusform>
            <numerusform>%n Dateien konnten nicht gelesen werden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still to be added</source>
        <translation>
            <numerusform>%n noch hinzuzufügen</numerusform>
            <numerusform>%n noch hinzuzufügen</numerusform>
        </translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
</context>
<context>
    <name>Going</name>
    <message>
        <source>Measuring “{0}”…</source>
        <translation>„{0}“ wird gemessen …</translation>
    </message>
    <message>
        <source>waits until other long work is done</source>
        <translation>wartet, bis andere lange Arbeit getan ist</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>beginnt</translation>
    </message>
</context>
<context>
    <name>HistoryMenu</name>
    <message>
        <source>Save this search…</source>
        <translation>Diese Suche merken …</translation>
    </message>
    <message>
        <source>Forget a saved search</source>
        <translation>Eine gemerkte Suche vergessen</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gemerkt</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Save this search</source>
        <translation>Diese Suche merken</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>An unreadable search</source>
        <translation>Eine unlesbare Suche</translation>
    </message>
    <message>
        <source>A photo</source>
        <translation>Ein Foto</translation>
    </message>
    <message>
        <source>{0} (no longer in the library)</source>
        <translation>{0} (nicht mehr in der Bibliothek)</translation>
    </message>
</context>
<context>
    <name>IndexCard</name>
    <message>
        <source>New name of {name}</source>
        <translation>Neuer Name von {name}</translation>
    </message>
    <message>
        <source>searched by default</source>
        <translation>üblicher Index</translation>
    </message>
    <message>
        <source>kept by Twinlens</source>
        <translation>von Twinlens gepflegt</translation>
    </message>
    <message>
        <source>Compares {words}.</source>
        <translation>Vergleicht {words}.</translation>
    </message>
    <message>
        <source>Building {name}</source>
        <translation>{name} wird aufgebaut</translation>
    </message>
    <message>
        <source>Make default</source>
        <translation>Üblich machen</translation>
    </message>
    <message>
        <source>Search {name} where none is chosen</source>
        <translation>In {name} suchen, wo keiner gewählt ist</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename {name}</source>
        <translation>{name} umbenennen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete {name}</source>
        <translation>{name} löschen</translation>
    </message>
    <message numerus="yes">
        <source>%n photograph(s)</source>
        <translation>
            <numerusform>%n Foto</numerusform>
            <numerusform>%n Fotos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message>
        <source>exact, without codes</source>
        <translation>genau, ohne Codes</translation>
    </message>
    <message numerus="yes">
        <source>%n bit(s) each</source>
        <translation>
            <numerusform>je %n Bit</numerusform>
            <numerusform>je %n Bit</numerusform>
        </translation>
    </message>
    <message>
        <source>not fitted yet: answers are exact</source>
        <translation>noch nicht angepasst: Antworten sind genau</translation>
    </message>
    <message>
        <source>fitted on {count}</source>
        <translation>an {count} angepasst</translation>
    </message>
</context>
<context>
    <name>IndexChooser</name>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>no index yet</source>
        <translation>noch kein Index</translation>
    </message>
    <message>
        <source>Index that answers: {index}</source>
        <translation>Index, der antwortet: {index}</translation>
    </message>
    <message>
        <source>{text}
Choose another index (Ctrl+I)</source>
        <translation>{text}
Einen anderen Index wählen (Strg+I)</translation>
    </message>
</context>
<context>
    <name>IndexList</name>
    <message>
        <source>Indexes</source>
        <translation>Indexe</translation>
    </message>
    <message>
        <source>New index…</source>
        <translation>Neuer Index …</translation>
    </message>
</context>
<context>
    <name>IndexesPage</name>
    <message>
        <source>Indexes</source>
        <translation>Indexe</translation>
    </message>
    <message>
        <source>New index…</source>
        <translation>Neuer Index …</translation>
    </message>
    <message>
        <source>Put another index together</source>
        <translation>Einen weiteren Index zusammenstellen</translation>
    </message>
    <message numerus="yes">
        <source>%n index(es), side by side on the same photographs</source>
        <translation>
            <numerusform>%n Index auf Ihren Fotos</numerusform>
            <numerusform>%n Indexe nebeneinander auf denselben Fotos</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” is deleted.</source>
        <translation>„{name}“ ist gelöscht.</translation>
    </message>
</context>
<context>
    <name>Jobs</name>
    <message>
        <source>Twinlens made a mistake ({fault}).</source>
        <translation>Twinlens hat einen Fehler gemacht ({fault}).</translation>
    </message>
    <message>
        <source>The log says more: see Settings.</source>
        <translation>Das Protokoll sagt mehr: siehe Einstellungen.</translation>
    </message>
</context>
<context>
    <name>Judgement</name>
    <message>
        <source>Pair accuracy</source>
        <translation>Paargenauigkeit</translation>
    </message>
    <message>
        <source>ROC area</source>
        <translation>ROC-Fläche</translation>
    </message>
    <message>
        <source>recall@10</source>
        <translation>Recall@10</translation>
    </message>
</context>
<context>
    <name>Keeping</name>
    <message>
        <source>“{0}” is deleted.</source>
        <translation>„{0}“ ist gelöscht.</translation>
    </message>
    <message>
        <source>{0} experiments are deleted.</source>
        <translation>{0} Experimente sind gelöscht.</translation>
    </message>
    <message>
        <source>“{0}” is an index now.</source>
        <translation>„{0}“ ist jetzt ein Index.</translation>
    </message>
    <message>
        <source>Making {0} an index…</source>
        <translation>{0} wird zum Index …</translation>
    </message>
</context>
<context>
    <name>Kept</name>
    <message>
        <source>Search ranks without a metric now.</source>
        <translation>Die Suche ordnet jetzt ohne Metrik.</translation>
    </message>
    <message>
        <source>Making “{0}” fast; it answers exactly meanwhile…</source>
        <translation>„{0}“ wird schnell gemacht; bis dahin antwortet er genau …</translation>
    </message>
    <message>
        <source>“{0}” is ready.</source>
        <translation>„{0}“ ist fertig.</translation>
    </message>
    <message>
        <source>Undo renaming</source>
        <translation>Umbenennen zurück</translation>
    </message>
    <message>
        <source>Undo deletion</source>
        <translation>Löschen zurück</translation>
    </message>
    <message>
        <source>“{0}” is deleted.</source>
        <translation>„{0}“ ist gelöscht.</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Photographs</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>Labor</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Large photograph</source>
        <translation>Einzelnes Foto</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Indexes</source>
        <translation>Indexe</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Look for new and changed photographs</source>
        <translation>Nach neuen und geänderten Fotos sehen</translation>
    </message>
    <message>
        <source>Pause or go on, cancel what runs</source>
        <translation>Anhalten oder weiter, Laufendes abbrechen</translation>
    </message>
    <message>
        <source>Forget the chosen folder; its files are untouched</source>
        <translation>Den gewählten Ordner vergessen; die Dateien bleiben unberührt</translation>
    </message>
    <message>
        <source>Folders and filters at the left, or none</source>
        <translation>Ordner und Filter links, oder keine</translation>
    </message>
    <message>
        <source>Full screen, or back to the window</source>
        <translation>Vollbild oder zurück zum Fenster</translation>
    </message>
    <message>
        <source>Back to the library</source>
        <translation>Zurück zur Bibliothek</translation>
    </message>
    <message>
        <source>These keys</source>
        <translation>Diese Tasten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Find look-alikes; of several together</source>
        <translation>Ähnliche finden; auch zu mehreren zusammen</translation>
    </message>
    <message>
        <source>Show large</source>
        <translation>Groß zeigen</translation>
    </message>
    <message>
        <source>Filter; or just type</source>
        <translation>Filtern; oder einfach tippen</translation>
    </message>
    <message>
        <source>By date, by folder</source>
        <translation>Nach Datum, nach Ordner</translation>
    </message>
    <message>
        <source>Larger, smaller</source>
        <translation>Größer, kleiner</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alle wählen</translation>
    </message>
    <message>
        <source>Shift+Arrow</source>
        <translation>Umschalt+Pfeil</translation>
    </message>
    <message>
        <source>Select up to there</source>
        <translation>Bis dorthin wählen</translation>
    </message>
    <message>
        <source>Select one more, or one less</source>
        <translation>Eines mehr oder weniger wählen</translation>
    </message>
    <message>
        <source>Several selected: mark as alike; two: as different</source>
        <translation>Mehrere gewählt: als ähnlich markieren; zwei: als verschieden</translation>
    </message>
    <message>
        <source>Undo the last mark and those before it, or bring back a folder</source>
        <translation>Die letzte Markierung und die davor rückgängig machen, oder einen Ordner zurückholen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Export copies</source>
        <translation>Kopien ausgeben</translation>
    </message>
    <message>
        <source>Open in another program</source>
        <translation>In einem anderen Programm öffnen</translation>
    </message>
    <message>
        <source>Show in the file manager</source>
        <translation>In der Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Everything that can be done with it</source>
        <translation>Alles, was damit geht</translation>
    </message>
    <message>
        <source>Search with the picture or path on the clipboard</source>
        <translation>Mit Bild oder Pfad aus der Zwischenablage suchen</translation>
    </message>
    <message>
        <source>More like this, not like this</source>
        <translation>Mehr wie dieses, nicht wie dieses</translation>
    </message>
    <message>
        <source>Mark as similar to what was asked, or different; again: take back</source>
        <translation>Als ähnlich zum Gefragten markieren, oder verschieden; noch einmal: zurücknehmen</translation>
    </message>
    <message>
        <source>Mark all that is confirmed as similar</source>
        <translation>Alles Bestätigte als ähnlich markieren</translation>
    </message>
    <message>
        <source>Add a picture file: like, not like</source>
        <translation>Eine Bilddatei dazu: wie, nicht wie</translation>
    </message>
    <message>
        <source>Search with a part of the picture</source>
        <translation>Mit einem Ausschnitt suchen</translation>
    </message>
    <message>
        <source>Ask with colours or a sketch</source>
        <translation>Mit Farben oder einer Skizze fragen</translation>
    </message>
    <message>
        <source>Add colours or a sketch to the search</source>
        <translation>Farben oder eine Skizze zur Suche hinzufügen</translation>
    </message>
    <message>
        <source>Ask with its marks too, or without</source>
        <translation>Auch mit seinen Markierungen fragen, oder ohne</translation>
    </message>
    <message>
        <source>Choose the index</source>
        <translation>Den Index wählen</translation>
    </message>
    <message>
        <source>Check for the same picture, show only what is confirmed</source>
        <translation>Auf dasselbe Bild prüfen, nur Bestätigtes zeigen</translation>
    </message>
    <message>
        <source>Compare with exact search, show what is missed</source>
        <translation>Mit genauer Suche vergleichen, Verfehltes zeigen</translation>
    </message>
    <message>
        <source>The search before, the next one</source>
        <translation>Vorige Suche, nächste</translation>
    </message>
    <message>
        <source>Earlier and saved searches</source>
        <translation>Frühere und gemerkte Suchen</translation>
    </message>
    <message>
        <source>Compare indexes by what is chosen</source>
        <translation>Indexe am Gewählten vergleichen</translation>
    </message>
    <message>
        <source>Compare indexes by this result, by what is asked</source>
        <translation>Indexe an diesem Ergebnis vergleichen, am Gefragten</translation>
    </message>
    <message>
        <source>Ask with this photograph</source>
        <translation>Mit diesem Foto fragen</translation>
    </message>
    <message>
        <source>Ask with another photograph, by chance</source>
        <translation>Mit einem zufälligen anderen Foto fragen</translation>
    </message>
    <message>
        <source>The photograph before, the next one</source>
        <translation>Voriges Foto, nächstes</translation>
    </message>
    <message>
        <source>Add a column, change it, take it away</source>
        <translation>Spalte hinzufügen, ändern, wegnehmen</translation>
    </message>
    <message>
        <source>Move the column</source>
        <translation>Die Spalte verschieben</translation>
    </message>
    <message>
        <source>Pin the column, keep it as an index</source>
        <translation>Die Spalte anheften, als Index behalten</translation>
    </message>
    <message>
        <source>What all are held against</source>
        <translation>Woran alle gemessen werden</translation>
    </message>
    <message>
        <source>What can be done with the column</source>
        <translation>Was mit der Spalte geht</translation>
    </message>
    <message>
        <source>Bring back the column that was taken away</source>
        <translation>Die weggenommene Spalte zurückholen</translation>
    </message>
    <message>
        <source>Find in all photographs again</source>
        <translation>Wieder in allen Fotos suchen</translation>
    </message>
    <message>
        <source>More, fewer photographs</source>
        <translation>Mehr, weniger Fotos</translation>
    </message>
    <message>
        <source>Export picture or numbers</source>
        <translation>Bild oder Zahlen ausgeben</translation>
    </message>
    <message>
        <source>The pair is similar, different; leave it</source>
        <translation>Das Paar ist ähnlich, verschieden; weiter</translation>
    </message>
    <message>
        <source>The left one, the right one large</source>
        <translation>Das linke, das rechte groß</translation>
    </message>
    <message>
        <source>Take the last mark back</source>
        <translation>Die letzte Markierung zurücknehmen</translation>
    </message>
    <message>
        <source>Learn from the marks</source>
        <translation>Aus den Markierungen lernen</translation>
    </message>
    <message>
        <source>Keep what was learned, leave it</source>
        <translation>Gelerntes behalten, verwerfen</translation>
    </message>
    <message>
        <source>Go back to what was used before</source>
        <translation>Zurück zum vorher Benutzten</translation>
    </message>
    <message>
        <source>Rank by another photograph</source>
        <translation>Nach einem anderen Foto ordnen</translation>
    </message>
    <message>
        <source>Marks and metrics, where the window is narrow</source>
        <translation>Markierungen und Metriken, wo das Fenster schmal ist</translation>
    </message>
    <message>
        <source>Experiments, theory, explorer, advice</source>
        <translation>Experimente, Theorie, Erkunden, Empfehlung</translation>
    </message>
    <message>
        <source>New experiment, one from this one</source>
        <translation>Neues Experiment, eines aus diesem</translation>
    </message>
    <message>
        <source>Experiment: go on, pause, run again</source>
        <translation>Experiment: weiter, anhalten, noch einmal</translation>
    </message>
    <message>
        <source>Experiments: to the list, to the table</source>
        <translation>Experimente: zur Liste, zur Tabelle</translation>
    </message>
    <message>
        <source>Row: hide from the charts, make it an index</source>
        <translation>Zeile: in den Diagrammen verbergen, zum Index machen</translation>
    </message>
    <message>
        <source>Figures: show, hide</source>
        <translation>Diagramme: zeigen, verbergen</translation>
    </message>
    <message>
        <source>Export, open an experiment file, keep it</source>
        <translation>Ausgeben, Experimentdatei öffnen, behalten</translation>
    </message>
    <message>
        <source>Rename, delete an experiment</source>
        <translation>Ein Experiment umbenennen, löschen</translation>
    </message>
    <message>
        <source>Explorer: another photograph, pin, swap with the pinned</source>
        <translation>Erkunden: anderes Foto, anheften, mit Angeheftetem tauschen</translation>
    </message>
    <message>
        <source>Explorer: order of the hits, back to the index&apos;s own setting</source>
        <translation>Erkunden: Ordnung der Treffer, zurück zur Einstellung des Index</translation>
    </message>
    <message>
        <source>Explorer: make it an index, compare it</source>
        <translation>Erkunden: zum Index machen, vergleichen</translation>
    </message>
    <message>
        <source>Advice: measure, stop</source>
        <translation>Empfehlung: messen, abbrechen</translation>
    </message>
    <message>
        <source>Advice: build it, make it the default, compare it</source>
        <translation>Empfehlung: anlegen, üblich machen, vergleichen</translation>
    </message>
    <message>
        <source>Advice: name the index before it is built</source>
        <translation>Empfehlung: den Index benennen, bevor er gebaut wird</translation>
    </message>
    <message>
        <source>Advice: to the charts, to the table</source>
        <translation>Empfehlung: zu den Diagrammen, zur Tabelle</translation>
    </message>
    <message>
        <source>New index</source>
        <translation>Neuer Index</translation>
    </message>
    <message>
        <source>Rename, delete an index, make it the default</source>
        <translation>Index umbenennen, löschen, üblich machen</translation>
    </message>
    <message>
        <source>Undo a deletion</source>
        <translation>Löschen rückgängig</translation>
    </message>
    <message>
        <source>Create the index</source>
        <translation>Den Index anlegen</translation>
    </message>
    <message>
        <source>Read again what could not be read; all of it</source>
        <translation>Nicht Gelesenes noch einmal lesen; alles</translation>
    </message>
    <message>
        <source>Set a problem aside</source>
        <translation>Ein Problem beiseitelegen</translation>
    </message>
    <message>
        <source>Closer, further, all of it or all that is selected</source>
        <translation>Näher, weiter, alles oder alles Gewählte</translation>
    </message>
    <message>
        <source>Arrow</source>
        <translation>Pfeil</translation>
    </message>
    <message>
        <source>The next photograph that way</source>
        <translation>Das nächste Foto in dieser Richtung</translation>
    </message>
    <message>
        <source>Move the map</source>
        <translation>Die Karte bewegen</translation>
    </message>
    <message>
        <source>Draw a lasso; or drag with Shift</source>
        <translation>Ein Lasso ziehen; oder mit Umschalt ziehen</translation>
    </message>
    <message>
        <source>Select all of this colour, all that is seen</source>
        <translation>Alles dieser Farbe wählen, alles Sichtbare</translation>
    </message>
    <message>
        <source>Show what is selected in the library</source>
        <translation>Gewähltes in der Bibliothek zeigen</translation>
    </message>
    <message>
        <source>Colour by cluster, folder, date, mark, likeness</source>
        <translation>Färben nach Cluster, Ordner, Datum, Markierung, Ähnlichkeit</translation>
    </message>
    <message>
        <source>Colour by how like this photograph others are</source>
        <translation>Danach färben, wie ähnlich andere diesem Foto sind</translation>
    </message>
    <message>
        <source>The next index, the other layout</source>
        <translation>Der nächste Index, die andere Anordnung</translation>
    </message>
    <message>
        <source>Names, more, export</source>
        <translation>Namen, mehr, ausgeben</translation>
    </message>
    <message>
        <source>The overview in the corner of the map</source>
        <translation>Die Übersicht in der Ecke der Karte</translation>
    </message>
    <message>
        <source>Show on the map</source>
        <translation>Auf der Karte zeigen</translation>
    </message>
    <message>
        <source>Larger, smaller, whole, 100 %</source>
        <translation>Größer, kleiner, ganz, 100 %</translation>
    </message>
    <message>
        <source>Similar to what was asked, or different</source>
        <translation>Ähnlich zum Gefragten, oder verschieden</translation>
    </message>
    <message>
        <source>Search with a part of it</source>
        <translation>Mit einem Ausschnitt suchen</translation>
    </message>
</context>
<context>
    <name>LabChips</name>
    <message>
        <source>Figure {0}</source>
        <translation>Diagramm {0}</translation>
    </message>
</context>
<context>
    <name>LabHead</name>
    <message>
        <source>Paused · {0}</source>
        <translation>Angehalten · {0}</translation>
    </message>
    <message>
        <source>List of experiments</source>
        <translation>Liste der Experimente</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Pause or go on</source>
        <translation>Anhalten oder weiter</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop; what is measured is kept</source>
        <translation>Abbrechen; was gemessen ist, bleibt</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Measure what is lacking</source>
        <translation>Messen, was noch fehlt</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep it in this library</source>
        <translation>In dieser Bibliothek behalten</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern …</translation>
    </message>
    <message>
        <source>New experiment from this one</source>
        <translation>Neues Experiment aus diesem</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Measure again and compare the figures</source>
        <translation>Noch einmal messen und die Zahlen vergleichen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Ausgeben</translation>
    </message>
    <message>
        <source>Write table, figures or the experiment</source>
        <translation>Tabelle, Diagramme oder das Experiment schreiben</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>Neues Experiment</translation>
    </message>
</context>
<context>
    <name>LabPlan</name>
    <message>
        <source>New experiment</source>
        <translation>Neues Experiment</translation>
    </message>
    <message>
        <source>Choose a question, or put a plan together.</source>
        <translation>Eine Frage wählen oder einen Plan zusammenstellen.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Leave without an experiment</source>
        <translation>Ohne Experiment zurück</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start measuring</source>
        <translation>Mit dem Messen beginnen</translation>
    </message>
    <message>
        <source>method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Methods</source>
        <translation>Methoden</translation>
    </message>
    <message>
        <source>search structure</source>
        <translation>Suchstruktur</translation>
    </message>
    <message>
        <source>How codes are searched</source>
        <translation>Wie Codes durchsucht werden</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>What is it to answer?</source>
        <translation>Was soll es beantworten?</translation>
    </message>
    <message>
        <source>Photographs</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>Photographs that ask</source>
        <translation>Fotos, die fragen</translation>
    </message>
    <message>
        <source>Vectors of</source>
        <translation>Vektoren von</translation>
    </message>
    <message>
        <source>What is right</source>
        <translation>Was richtig ist</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Bearbeitungen</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>How many ask</source>
        <translation>Wie viele fragen</translation>
    </message>
    <message>
        <source>Bits of every method</source>
        <translation>Bits jeder Methode</translation>
    </message>
    <message>
        <source>each its own; or all with each of 32, 64, 128</source>
        <translation>jede ihre eigenen; oder alle mit je 32, 64, 128</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Startwerte</translation>
    </message>
    <message>
        <source>Every method is measured once with each: how far they lie apart is ±</source>
        <translation>Jede Methode wird mit jedem einmal gemessen: Wie weit sie auseinanderliegen, ist ±</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the experiment</source>
        <translation>Name des Experiments</translation>
    </message>
    <message>
        <source>What it takes</source>
        <translation>Was es kostet</translation>
    </message>
    <message>
        <source>As the index has it</source>
        <translation>Wie der Index es hat</translation>
    </message>
    <message>
        <source>About {0} on this computer.</source>
        <translation>Etwa {0} auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Steps, one for each method, search structure and seed: {0}.</source>
        <translation>Schritte, je einer für Methode, Suchstruktur und Startwert: {0}.</translation>
    </message>
    <message>
        <source>{0} photographs of {1} dimensions, {2} queries.</source>
        <translation>{0} Fotos mit {1} Dimensionen, {2} Anfragen.</translation>
    </message>
    <message>
        <source>Edit: {0}</source>
        <translation>Bearbeitung: {0}</translation>
    </message>
    <message>
        <source>A method has no meaning yet.</source>
        <translation>Eine Methode ergibt noch keinen Sinn.</translation>
    </message>
    <message>
        <source>A search structure has no meaning yet.</source>
        <translation>Eine Suchstruktur ergibt noch keinen Sinn.</translation>
    </message>
    <message>
        <source>Bits, seeds and queries are whole numbers, with commas between several.</source>
        <translation>Bits, Startwerte und Anfragen sind ganze Zahlen, mehrere mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>There is an experiment of this name.</source>
        <translation>Ein Experiment dieses Namens gibt es schon.</translation>
    </message>
    <message>
        <source>as the question</source>
        <translation>wie die Frage</translation>
    </message>
    <message>
        <source>A text form, or several at once: rank={16,64} is one with each</source>
        <translation>Eine Textform, oder mehrere zugleich: rank={16,64} ist je eine damit</translation>
    </message>
    <message>
        <source>Take {0} away</source>
        <translation>{0} wegnehmen</translation>
    </message>
    <message>
        <source>+ Add</source>
        <translation>+ Hinzufügen</translation>
    </message>
    <message>
        <source>Add a {0}</source>
        <translation>{0} hinzufügen</translation>
    </message>
    <message>
        <source>Add at least one.</source>
        <translation>Mindestens eine hinzufügen.</translation>
    </message>
    <message>
        <source>Parameters of {0}</source>
        <translation>Parameter von {0}</translation>
    </message>
    <message>
        <source>Parameter with several values</source>
        <translation>Parameter mit mehreren Werten</translation>
    </message>
    <message>
        <source>Its values</source>
        <translation>Seine Werte</translation>
    </message>
    <message>
        <source>values with commas, such as 16, 64, 256</source>
        <translation>Werte mit Kommas, etwa 16, 64, 256</translation>
    </message>
    <message>
        <source>Try several</source>
        <translation>Mehrere versuchen</translation>
    </message>
</context>
<context>
    <name>LabQuestions</name>
    <message>
        <source>What does rank do to KLSH?</source>
        <translation>Was macht der Rang mit KLSH?</translation>
    </message>
    <message>
        <source>Few components estimate well, many hold more: where is the best?</source>
        <translation>Wenige Komponenten schätzen gut, viele enthalten mehr: Wo liegt das Beste?</translation>
    </message>
    <message>
        <source>Which method for my photographs?</source>
        <translation>Welche Methode für meine Fotos?</translation>
    </message>
    <message>
        <source>Hyperplanes, rotations and kernels at the same number of bits.</source>
        <translation>Hyperebenen, Drehungen und Kerne bei gleich vielen Bits.</translation>
    </message>
    <message>
        <source>How many bits?</source>
        <translation>Wie viele Bits?</translation>
    </message>
    <message>
        <source>From where on longer codes find no more.</source>
        <translation>Ab wann längere Codes nicht mehr finden.</translation>
    </message>
    <message>
        <source>Which search structure?</source>
        <translation>Welche Suchstruktur?</translation>
    </message>
    <message>
        <source>How much of the truth is found, in what time, looking at how many.</source>
        <translation>Wie viel vom Wahren gefunden wird, in welcher Zeit, und wie viele dafür angesehen.</translation>
    </message>
    <message>
        <source>What do edits survive?</source>
        <translation>Welche Bearbeitungen schaden nicht?</translation>
    </message>
    <message>
        <source>Cropped, turned, recoloured copies look for their photograph.</source>
        <translation>Beschnittene, gedrehte, umgefärbte Kopien suchen ihr Foto.</translation>
    </message>
</context>
<context>
    <name>LabResults</name>
    <message>
        <source>seeds {0}</source>
        <translation>Startwerte {0}</translation>
    </message>
    <message>
        <source>{0} experiments side by side</source>
        <translation>{0} Experimente nebeneinander</translation>
    </message>
    <message>
        <source>{0} photographs</source>
        <translation>{0} Fotos</translation>
    </message>
    <message>
        <source>{0}, {1} dimensions</source>
        <translation>{0}, {1} Dimensionen</translation>
    </message>
    <message>
        <source>metric {0}</source>
        <translation>Metrik {0}</translation>
    </message>
    <message>
        <source>{0} queries</source>
        <translation>{0} Anfragen</translation>
    </message>
    <message>
        <source>right answers: {0}</source>
        <translation>richtige Antworten: {0}</translation>
    </message>
    <message>
        <source>1 seed</source>
        <translation>1 Startwert</translation>
    </message>
    <message>
        <source>{0} seeds</source>
        <translation>{0} Startwerte</translation>
    </message>
    <message>
        <source>the photographs that were edited</source>
        <translation>die bearbeiteten Fotos</translation>
    </message>
    <message>
        <source>what exact search finds ({0})</source>
        <translation>was die genaue Suche findet ({0})</translation>
    </message>
    <message>
        <source>These are of different photographs, queries or right answers: their curves may lie apart for that alone.</source>
        <translation>Fotos, Anfragen oder richtige Antworten sind hier verschieden: Schon deshalb können die Kurven auseinanderliegen.</translation>
    </message>
    <message>
        <source>Click to make it an index</source>
        <translation>Klick macht einen Index daraus</translation>
    </message>
    <message>
        <source>Choose a figure above.</source>
        <translation>Oben ein Diagramm wählen.</translation>
    </message>
    <message>
        <source>All rows are hidden. Press H on a row of the table to see it here.</source>
        <translation>Alle Zeilen sind verborgen. H auf einer Zeile der Tabelle zeigt sie hier.</translation>
    </message>
    <message>
        <source>The first curves come with the first step.</source>
        <translation>Die ersten Kurven kommen mit dem ersten Schritt.</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>Noch ist nichts gemessen.</translation>
    </message>
    <message>
        <source>Table as CSV…</source>
        <translation>Tabelle als CSV …</translation>
    </message>
    <message>
        <source>Figures as PNG…</source>
        <translation>Diagramme als PNG …</translation>
    </message>
    <message>
        <source>Figures as SVG…</source>
        <translation>Diagramme als SVG …</translation>
    </message>
    <message>
        <source>Everything as JSON…</source>
        <translation>Alles als JSON …</translation>
    </message>
    <message>
        <source>Experiment file, to share…</source>
        <translation>Experimentdatei, zum Weitergeben …</translation>
    </message>
    <message>
        <source>Experiment file with its vectors…</source>
        <translation>Experimentdatei mit ihren Vektoren …</translation>
    </message>
</context>
<context>
    <name>LabRuns</name>
    <message>
        <source>stopped at {0}</source>
        <translation>abgebrochen bei {0}</translation>
    </message>
    <message>
        <source>running · {0}</source>
        <translation>läuft · {0}</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>beginnt</translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>wartet, bis es dran ist</translation>
    </message>
    <message>
        <source>out of a file, not kept</source>
        <translation>aus einer Datei, nicht bewahrt</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>Several that are chosen with Ctrl are compared</source>
        <translation>Mehrere, mit Strg gewählt, werden verglichen</translation>
    </message>
</context>
<context>
    <name>LabSaving</name>
    <message>
        <source>The chart is copied.</source>
        <translation>Das Diagramm ist kopiert.</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>Write as</source>
        <translation>Schreiben als</translation>
    </message>
    <message>
        <source>Written to {0}</source>
        <translation>Geschrieben nach {0}</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Experiment (*.twinlens-experiment)</source>
        <translation>Experiment (*.twinlens-experiment)</translation>
    </message>
    <message>
        <source>{0} figures are written to {1}</source>
        <translation>{0} Diagramme sind nach {1} geschrieben</translation>
    </message>
</context>
<context>
    <name>LabShell</name>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>Theory</source>
        <translation>Theorie</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>Erkunden</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Empfehlung</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>Labor</translation>
    </message>
</context>
<context>
    <name>LabTable</name>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Make it an index</source>
        <translation>Zum Index machen</translation>
    </message>
    <message>
        <source>Show it in the charts</source>
        <translation>In den Diagrammen zeigen</translation>
    </message>
    <message>
        <source>Hide from the charts</source>
        <translation>In den Diagrammen verbergen</translation>
    </message>
    <message>
        <source>New experiment with it</source>
        <translation>Neues Experiment damit</translation>
    </message>
    <message>
        <source>method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>search structure</source>
        <translation>Suchstruktur</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Hash and search the library&apos;s photographs like this (I)</source>
        <translation>Die Fotos der Bibliothek so zu Codes machen und durchsuchen (I)</translation>
    </message>
    <message>
        <source>hidden from the charts</source>
        <translation>in den Diagrammen verborgen</translation>
    </message>
    <message>
        <source>make it an index</source>
        <translation>zum Index machen</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>overlap@10</source>
        <translation>gleich@10</translation>
    </message>
    <message>
        <source>fit s</source>
        <translation>Lernen s</translation>
    </message>
    <message>
        <source>search ms</source>
        <translation>Suche ms</translation>
    </message>
    <message>
        <source>looked at</source>
        <translation>angesehen</translation>
    </message>
    <message>
        <source>encode µs</source>
        <translation>Code µs</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Share of queries whose nearest photograph is the first by its code</source>
        <translation>Anteil der Anfragen, deren nächstes Foto nach seinem Code das erste ist</translation>
    </message>
    <message>
        <source>Share of queries whose nearest photograph is among the first 10</source>
        <translation>Anteil der Anfragen, deren nächstes Foto unter den ersten 10 ist</translation>
    </message>
    <message>
        <source>Share of queries whose nearest photograph is among the first 100</source>
        <translation>Anteil der Anfragen, deren nächstes Foto unter den ersten 100 ist</translation>
    </message>
    <message>
        <source>Mean average precision of the ranking by codes</source>
        <translation>Mean Average Precision der Ordnung nach Codes</translation>
    </message>
    <message>
        <source>Share of queries whose nearest photographs vote for the right label</source>
        <translation>Anteil der Anfragen, deren nächste Fotos für die richtige Klasse stimmen</translation>
    </message>
    <message>
        <source>Share of the true first 10 that the search finds, ranked exactly</source>
        <translation>Anteil der wahren ersten 10, den die Suche findet, genau geordnet</translation>
    </message>
    <message>
        <source>Seconds of learning</source>
        <translation>Sekunden des Lernens</translation>
    </message>
    <message>
        <source>Microseconds to encode a photograph</source>
        <translation>Mikrosekunden, um ein Foto zu codieren</translation>
    </message>
    <message>
        <source>Milliseconds of a query, from its vector on</source>
        <translation>Millisekunden einer Anfrage, vom Vektor an</translation>
    </message>
    <message>
        <source>Candidates that are measured exactly, a query</source>
        <translation>Kandidaten, die je Anfrage genau gemessen werden</translation>
    </message>
    <message>
        <source>Bytes of codes and lists, a photograph</source>
        <translation>Bytes für Codes und Listen, je Foto</translation>
    </message>
</context>
<context>
    <name>LabTruth</name>
    <message>
        <source>exact neighbours</source>
        <translation>genaue Nachbarn</translation>
    </message>
    <message>
        <source>the same folder</source>
        <translation>derselbe Ordner</translation>
    </message>
    <message>
        <source>marked as similar</source>
        <translation>als ähnlich markiert</translation>
    </message>
    <message>
        <source>edited copies</source>
        <translation>bearbeitete Kopien</translation>
    </message>
    <message>
        <source>exact neighbours by {measure}</source>
        <translation>genaue Nachbarn nach {measure}</translation>
    </message>
</context>
<context>
    <name>LabView</name>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>Measure how well hashing finds your own photographs: what each parameter does, which method to use.</source>
        <translation>Messen, wie gut Hashing Ihre eigenen Fotos findet: was jeder Parameter tut, welche Methode die richtige ist.</translation>
    </message>
    <message>
        <source>Try a first experiment</source>
        <translation>Ein erstes Experiment versuchen</translation>
    </message>
    <message>
        <source>Put one together…</source>
        <translation>Eines zusammenstellen …</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>Neues Experiment</translation>
    </message>
    <message>
        <source>Open somebody&apos;s experiment…</source>
        <translation>Ein fremdes Experiment öffnen …</translation>
    </message>
    <message>
        <source>Open an experiment file</source>
        <translation>Eine Experimentdatei öffnen</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen …</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>New experiment from this one…</source>
        <translation>Neues Experiment aus diesem …</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Open this experiment</source>
        <translation>Diesen Versuch öffnen</translation>
    </message>
    <message>
        <source>Open these experiments</source>
        <translation>Diese Versuche öffnen</translation>
    </message>
</context>
<context>
    <name>LearnControl</name>
    <message>
        <source>Export marks</source>
        <translation>Markierungen ausgeben</translation>
    </message>
    <message>
        <source>Table (*.csv);;JSON (*.json)</source>
        <translation>Tabelle (*.csv);;JSON (*.json)</translation>
    </message>
    <message>
        <source>Import marks</source>
        <translation>Markierungen einlesen</translation>
    </message>
    <message>
        <source>Marks (*.csv *.json);;All files (*)</source>
        <translation>Markierungen (*.csv *.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>as “{0}” measures</source>
        <translation>wie „{0}“ misst</translation>
    </message>
    <message>
        <source>by “{0}”</source>
        <translation>nach „{0}“</translation>
    </message>
</context>
<context>
    <name>LearnHead</name>
    <message>
        <source>Keep  K</source>
        <translation>Behalten  K</translation>
    </message>
    <message>
        <source>Keep what was learned, and search by it</source>
        <translation>Gelerntes behalten und danach suchen</translation>
    </message>
    <message>
        <source>Not now  N</source>
        <translation>Nicht jetzt  N</translation>
    </message>
    <message>
        <source>Leave what was learned; the marks stay</source>
        <translation>Gelerntes verwerfen; die Markierungen bleiben</translation>
    </message>
    <message>
        <source>Learn  L</source>
        <translation>Lernen  L</translation>
    </message>
    <message>
        <source>Learn from the marks</source>
        <translation>Aus den Markierungen lernen</translation>
    </message>
    <message>
        <source>Cancel  Esc</source>
        <translation>Abbrechen  Esc</translation>
    </message>
    <message>
        <source>Stop learning; the marks stay</source>
        <translation>Lernen abbrechen; die Markierungen bleiben</translation>
    </message>
    <message>
        <source>Go back  B</source>
        <translation>Zurück  B</translation>
    </message>
    <message>
        <source>Search again as before this was kept</source>
        <translation>Wieder suchen wie zuvor</translation>
    </message>
    <message>
        <source>Marks  M</source>
        <translation>Markierungen  M</translation>
    </message>
    <message>
        <source>Your marks and metrics</source>
        <translation>Ihre Markierungen und Metriken</translation>
    </message>
    <message>
        <source>Nothing is marked yet</source>
        <translation>Noch ist nichts markiert</translation>
    </message>
    <message>
        <source>Say below which photographs are alike to you, or press S or D on results of a search.</source>
        <translation>Unten sagen, welche Fotos einander ähnlich sind, oder auf Ergebnissen einer Suche S oder D drücken.</translation>
    </message>
    <message numerus="yes">
        <source>Learn from %n mark(s)</source>
        <translation>
            <numerusform>Aus %n Markierung lernen</numerusform>
            <numerusform>Aus %n Markierungen lernen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not enough marks yet: about %n more would help.</source>
        <translation>
            <numerusform>Noch nicht genug Markierungen: Etwa %n weitere würde helfen.</numerusform>
            <numerusform>Noch nicht genug Markierungen: Etwa %n weitere würden helfen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learning from %n mark(s)…</source>
        <translation>
            <numerusform>Aus %n Markierung wird gelernt …</numerusform>
            <numerusform>Aus %n Markierungen wird gelernt …</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>noch {0}</translation>
    </message>
    <message>
        <source>You can go on marking meanwhile.</source>
        <translation>Markieren geht währenddessen weiter.</translation>
    </message>
    <message numerus="yes">
        <source>Learned from %n mark(s)</source>
        <translation>
            <numerusform>Aus %n Markierung gelernt</numerusform>
            <numerusform>Aus %n Markierungen gelernt</numerusform>
        </translation>
    </message>
    <message>
        <source>Not enough marks yet to judge by</source>
        <translation>Noch nicht genug Markierungen für ein Urteil</translation>
    </message>
    <message>
        <source>better on {0} of {1} held-out pairs, worse on {2}</source>
        <translation>{0} von {1} Prüfpaaren besser, {2} schlechter</translation>
    </message>
    <message>
        <source>Keep anyway  K</source>
        <translation>Trotzdem behalten  K</translation>
    </message>
    <message>
        <source>Keeping it…</source>
        <translation>Wird behalten …</translation>
    </message>
    <message>
        <source>Its index is ready: search is as fast as before.</source>
        <translation>Der Index ist fertig: Die Suche ist so schnell wie zuvor.</translation>
    </message>
    <message>
        <source>Until its index is ready every photograph is measured: exact, and a little slower.</source>
        <translation>Bis der Index fertig ist, wird jedes Foto gemessen: genau und etwas langsamer.</translation>
    </message>
    <message>
        <source>Search ranks by “{0}” now</source>
        <translation>Die Suche ordnet jetzt nach „{0}“</translation>
    </message>
    <message>
        <source>You can go back at any time.</source>
        <translation>Zurück geht es jederzeit.</translation>
    </message>
    <message>
        <source>{0} similar</source>
        <translation>{0} ähnlich</translation>
    </message>
    <message>
        <source>{0} different</source>
        <translation>{0} verschieden</translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s) for a photograph</source>
        <translation>
            <numerusform>%n wartet auf ein Foto</numerusform>
            <numerusform>%n warten auf ein Foto</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) marked both ways</source>
        <translation>
            <numerusform>%n Paar widersprüchlich markiert</numerusform>
            <numerusform>%n Paare widersprüchlich markiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %n more mark(s) would help.</source>
        <translation>
            <numerusform>Etwa %n weitere Markierung würde helfen.</numerusform>
            <numerusform>Etwa %n weitere Markierungen würden helfen.</numerusform>
        </translation>
    </message>
    <message>
        <source>A few more marks would help.</source>
        <translation>Ein paar weitere Markierungen würden helfen.</translation>
    </message>
    <message>
        <source>Better on photographs that it has not seen: keep it, and search ranks by it at once.</source>
        <translation>Besser bei Fotos, die es nicht kannte: Behalten, und die Suche ordnet sofort danach.</translation>
    </message>
    <message>
        <source>Not enough marks yet: this may be chance.</source>
        <translation>Noch nicht genug Markierungen: Das kann Zufall sein.</translation>
    </message>
    <message>
        <source>This may be chance: it is not surely better than before.</source>
        <translation>Das kann Zufall sein: Es ist nicht sicher besser als zuvor.</translation>
    </message>
    <message>
        <source>what is similar comes {0} times as early</source>
        <translation>Ähnliches kommt {0}-mal so früh</translation>
    </message>
    <message>
        <source>learned in {0} s</source>
        <translation>Dauer {0} s</translation>
    </message>
</context>
<context>
    <name>LearnView</name>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>There is nothing to learn from yet: add photographs first.</source>
        <translation>Noch gibt es nichts, woraus zu lernen wäre: erst Fotos hinzufügen.</translation>
    </message>
    <message>
        <source>Go to the library</source>
        <translation>Zur Bibliothek</translation>
    </message>
    <message>
        <source>Your marks</source>
        <translation>Ihre Markierungen</translation>
    </message>
    <message>
        <source>Metrics: what was learned and kept</source>
        <translation>Metriken: was gelernt und behalten wurde</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
</context>
<context>
    <name>LeftOut</name>
    <message>
        <source>What to know, and what was left out</source>
        <translation>Was zu wissen ist, und was ausgelassen wurde</translation>
    </message>
    <message>
        <source>Copy the command  Y</source>
        <translation>Befehl kopieren  Y</translation>
    </message>
    <message>
        <source>Copy the command that gives the same</source>
        <translation>Den Befehl kopieren, der dasselbe ergibt</translation>
    </message>
    <message>
        <source>In a terminal:</source>
        <translation>Im Terminal:</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>What the colours mean</source>
        <translation>Was die Farben bedeuten</translation>
    </message>
</context>
<context>
    <name>LegendRow</name>
    <message>
        <source>{0}: {1} photographs</source>
        <translation>{0}: {1} Fotos</translation>
    </message>
    <message>
        <source>{0}. Click shows these alone; with Ctrl, these too; again, all.</source>
        <translation>{0}. Ein Klick zeigt nur diese; mit Strg auch diese; noch einmal: alle.</translation>
    </message>
</context>
<context>
    <name>LibraryCheck</name>
    <message>
        <source>Repairing the library…</source>
        <translation>Die Bibliothek wird repariert …</translation>
    </message>
    <message>
        <source>Checking the library…</source>
        <translation>Die Bibliothek wird geprüft …</translation>
    </message>
</context>
<context>
    <name>LibraryView</name>
    <message>
        <source>Shown alone, as chosen on the map; click to show all again (Esc)</source>
        <translation>Allein gezeigt, wie auf der Karte gewählt; ein Klick zeigt wieder alle (Esc)</translation>
    </message>
    <message>
        <source>By date</source>
        <translation>Nach Datum</translation>
    </message>
    <message>
        <source>Newest first, by month (Ctrl+D)</source>
        <translation>Neueste zuerst, nach Monat (Strg+D)</translation>
    </message>
    <message>
        <source>By folder</source>
        <translation>Nach Ordner</translation>
    </message>
    <message>
        <source>By folder and name (Ctrl+Shift+D)</source>
        <translation>Nach Ordner und Name (Strg+Umschalt+D)</translation>
    </message>
    <message>
        <source>Drop a folder of photographs here. They stay where they are, and nothing leaves this machine.</source>
        <translation>Ziehen Sie einen Ordner mit Fotos hierher. Sie bleiben, wo sie sind, und nichts verlässt diesen Rechner.</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>No photograph fits what you chose.</source>
        <translation>Kein Foto passt zu dem, was Sie gewählt haben.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortfahren</translation>
    </message>
    <message>
        <source>The first photos appear here in a moment.</source>
        <translation>Die ersten Fotos erscheinen hier gleich.</translation>
    </message>
    <message>
        <source>Type to filter: name, folder, camera, date</source>
        <translation>Tippen filtert: Name, Ordner, Kamera, Datum</translation>
    </message>
    <message>
        <source>Filter by name, folder, camera or date</source>
        <translation>Nach Name, Ordner, Kamera oder Datum filtern</translation>
    </message>
    <message>
        <source>Filter by name, folder, camera or date (Ctrl+F, or just type)</source>
        <translation>Nach Name, Ordner, Kamera oder Datum filtern (Strg+F, oder einfach tippen)</translation>
    </message>
    <message>
        <source>Add a folder of photographs (Ctrl+O); or drop one anywhere</source>
        <translation>Einen Ordner mit Fotos hinzufügen (Strg+O); oder irgendwohin ziehen</translation>
    </message>
    <message>
        <source>{0} from the map  ✕</source>
        <translation>{0} von der Karte  ✕</translation>
    </message>
    <message>
        <source>{0} from the map: show all again</source>
        <translation>{0} von der Karte: wieder alle zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s) still to be added.</source>
        <translation>
            <numerusform>%n Foto ist noch hinzuzufügen.</numerusform>
            <numerusform>%n Fotos sind noch hinzuzufügen.</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} of {1} selected</source>
        <translation>{0} von {1} gewählt</translation>
    </message>
    <message numerus="yes">
        <source>%n photograph(s)</source>
        <translation>
            <numerusform>%n Foto</numerusform>
            <numerusform>%n Fotos</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} of {1} photographs</source>
        <translation>{0} von {1} Fotos</translation>
    </message>
    <message>
        <source>Enter finds look-alikes · Space shows it large</source>
        <translation>Eingabe findet Ähnliche · Leertaste zeigt groß</translation>
    </message>
</context>
<context>
    <name>Limits</name>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>above {low}</source>
        <translation>über {low}</translation>
    </message>
    <message>
        <source>at least {low}</source>
        <translation>mindestens {low}</translation>
    </message>
    <message>
        <source>below {high}</source>
        <translation>unter {high}</translation>
    </message>
    <message>
        <source>at most {high}</source>
        <translation>höchstens {high}</translation>
    </message>
</context>
<context>
    <name>MakingControl</name>
    <message>
        <source>Exact</source>
        <translation>Genau</translation>
    </message>
    <message>
        <source>Making “{0}”…</source>
        <translation>„{0}“ wird angelegt …</translation>
    </message>
    <message>
        <source>Making “{0}”: {1}</source>
        <translation>„{0}“ wird angelegt: {1}</translation>
    </message>
    <message>
        <source>The index “{0}” is made.</source>
        <translation>Der Index „{0}“ ist angelegt.</translation>
    </message>
    <message>
        <source>“{0}” answers from now on.</source>
        <translation>Von jetzt an antwortet „{0}“.</translation>
    </message>
    <message>
        <source>Build it first, then it can be compared.</source>
        <translation>Erst anlegen, dann lässt er sich vergleichen.</translation>
    </message>
</context>
<context>
    <name>Map</name>
    <message>
        <source>other folders</source>
        <translation>andere Ordner</translation>
    </message>
    <message>
        <source>marked similar</source>
        <translation>als ähnlich markiert</translation>
    </message>
    <message>
        <source>marked different</source>
        <translation>als verschieden markiert</translation>
    </message>
    <message>
        <source>marked both</source>
        <translation>beides markiert</translation>
    </message>
    <message>
        <source>not marked</source>
        <translation>nicht markiert</translation>
    </message>
    <message>
        <source>no date</source>
        <translation>ohne Datum</translation>
    </message>
    <message>
        <source>{0} and before</source>
        <translation>{0} und früher</translation>
    </message>
    <message>
        <source>{0} and after</source>
        <translation>{0} und später</translation>
    </message>
    <message>
        <source>next {0}, from {1}</source>
        <translation>weitere {0}, ab {1}</translation>
    </message>
    <message>
        <source>{0} nearest, from {1}</source>
        <translation>{0} nächste, ab {1}</translation>
    </message>
    <message>
        <source>less alike</source>
        <translation>weniger ähnlich</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>One photograph</source>
        <translation>Ein Foto</translation>
    </message>
    <message>
        <source>{0} photographs, alike beside alike</source>
        <translation>{0} Fotos nach Ähnlichkeit</translation>
    </message>
    <message>
        <source>Add more: a map shows which are alike.</source>
        <translation>Fügen Sie mehr hinzu: Eine Karte zeigt, welche einander ähnlich sind.</translation>
    </message>
    <message>
        <source>Near means alike by {0}. So few say little: a map is worth it from some dozens on.</source>
        <translation>Nah heißt ähnlich ({0}). So wenige sagen wenig: Eine Karte lohnt sich ab einigen Dutzend.</translation>
    </message>
    <message>
        <source>Near means alike by {0}; directions mean nothing.</source>
        <translation>Nah heißt ähnlich ({0}); Richtungen bedeuten nichts.</translation>
    </message>
    <message>
        <source>Near means alike by {0}, seen from the side on which photographs differ most.</source>
        <translation>Nah heißt ähnlich ({0}), von der Seite gesehen, auf der sich Fotos am meisten unterscheiden.</translation>
    </message>
    <message>
        <source>Of the 10 nearest of each, {0} are among its 10 nearest here.</source>
        <translation>Von den 10 nächsten eines Fotos sind {0} auch hier unter seinen 10 nächsten.</translation>
    </message>
    <message>
        <source>A sample of {0} of {1}.</source>
        <translation>Eine Stichprobe von {0} aus {1}.</translation>
    </message>
    <message>
        <source>{0} of which it can say nothing lie in the lower left corner.</source>
        <translation>{0}, über die er nichts sagen kann, liegen in der Ecke links unten.</translation>
    </message>
    <message>
        <source>{0} came later and lie beside their nearest.</source>
        <translation>{0} kamen später und liegen neben ihren nächsten.</translation>
    </message>
    <message>
        <source>photograph in {0}</source>
        <translation>Foto in {0}</translation>
    </message>
    <message>
        <source>among {0}</source>
        <translation>bei {0}</translation>
    </message>
    <message>
        <source>group {0}</source>
        <translation>Gruppe {0}</translation>
    </message>
    <message>
        <source>alone</source>
        <translation>einzeln</translation>
    </message>
    <message>
        <source>alone, or nothing to compare</source>
        <translation>einzeln oder nicht vergleichbar</translation>
    </message>
</context>
<context>
    <name>MapControl</name>
    <message>
        <source>It is not on this map: a sample leaves it out, or the index does not know it yet.</source>
        <translation>Es ist nicht auf dieser Karte: Eine Stichprobe lässt es aus, oder der Index kennt es noch nicht.</translation>
    </message>
    <message>
        <source>Laying out the library by {0}…</source>
        <translation>Die Bibliothek wird angeordnet ({0}) …</translation>
    </message>
    <message>
        <source>The directions in which photographs differ most. Neighbours are being brought together…</source>
        <translation>Die Richtungen, in denen sich Fotos am meisten unterscheiden. Nachbarn werden zusammengerückt …</translation>
    </message>
    <message>
        <source>{0} Bringing neighbours together was stopped: P twice does it after all.</source>
        <translation>{0} Das Zusammenrücken wurde abgebrochen: Zweimal P holt es nach.</translation>
    </message>
    <message>
        <source>It was stopped before there was a map.</source>
        <translation>Es wurde abgebrochen, bevor eine Karte da war.</translation>
    </message>
    <message>
        <source>asked</source>
        <translation>gefragt</translation>
    </message>
    <message>
        <source>here</source>
        <translation>hier</translation>
    </message>
    <message>
        <source>like this</source>
        <translation>wie dieses</translation>
    </message>
    <message>
        <source>Choose a photograph first: colours say how like it the others are.</source>
        <translation>Erst ein Foto wählen: Farben sagen, wie ähnlich ihm die anderen sind.</translation>
    </message>
    <message>
        <source>Nothing is selected: draw a line around photographs with Shift.</source>
        <translation>Nichts ist gewählt: mit Umschalt eine Linie um Fotos ziehen.</translation>
    </message>
    <message>
        <source>Save the map as</source>
        <translation>Die Karte speichern als</translation>
    </message>
    <message>
        <source>Picture (*.png *.jpg)</source>
        <translation>Bild (*.png *.jpg)</translation>
    </message>
    <message>
        <source>Save the places as</source>
        <translation>Die Orte speichern als</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>The map is saved as {0}.</source>
        <translation>Die Karte ist als {0} gespeichert.</translation>
    </message>
    <message>
        <source>Saving the map…</source>
        <translation>Die Karte wird gespeichert …</translation>
    </message>
</context>
<context>
    <name>MapView</name>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Photographs on the map</source>
        <translation>Fotos auf der Karte</translation>
    </message>
    <message>
        <source>The map puts photographs that are alike beside each other. There are none yet: add a folder.</source>
        <translation>Die Karte legt ähnliche Fotos nebeneinander. Noch gibt es keine: einen Ordner hinzufügen.</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Laying out the library…</source>
        <translation>Die Bibliothek wird angeordnet …</translation>
    </message>
    <message>
        <source>There is no map.</source>
        <translation>Es gibt keine Karte.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Index by whose measure photographs are alike</source>
        <translation>Index, nach dessen Maß Fotos ähnlich sind</translation>
    </message>
    <message>
        <source>By which index photographs are alike (I for the next)</source>
        <translation>Nach welchem Index Fotos ähnlich sind (I für den nächsten)</translation>
    </message>
    <message>
        <source>neighbours together</source>
        <translation>Nachbarn beisammen</translation>
    </message>
    <message>
        <source>main directions</source>
        <translation>Hauptrichtungen</translation>
    </message>
    <message>
        <source>How photographs are laid out</source>
        <translation>Wie Fotos angeordnet sind</translation>
    </message>
    <message>
        <source>Neighbours together: t-SNE keeps those together that are most alike. Main directions: principal components, at once (P for the other)</source>
        <translation>Nachbarn beisammen: t-SNE hält zusammen, was sich am ähnlichsten ist. Hauptrichtungen: Hauptkomponenten, sofort (P für das andere)</translation>
    </message>
    <message>
        <source>Lasso</source>
        <translation>Lasso</translation>
    </message>
    <message>
        <source>Draw a line around photographs to select them</source>
        <translation>Eine Linie um Fotos ziehen, um sie zu wählen</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Show all of the map, or all that is selected</source>
        <translation>Die ganze Karte zeigen, oder alles Gewählte</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Sample, names, export of the map, make it anew</source>
        <translation>Stichprobe, Namen, Karte ausgeben, neu anlegen</translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>mark</source>
        <translation>Markierung</translation>
    </message>
    <message>
        <source>likeness to one</source>
        <translation>Ähnlichkeit zu einem</translation>
    </message>
    <message>
        <source>What colours mean</source>
        <translation>Was Farben bedeuten</translation>
    </message>
    <message>
        <source>What colours mean (1 cluster, 2 folder, 3 date, 4 mark, 5 likeness to one)</source>
        <translation>Was Farben bedeuten (1 Cluster, 2 Ordner, 3 Datum, 4 Markierung, 5 Ähnlichkeit zu einem)</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Copies of the files…</source>
        <translation>Kopien der Dateien …</translation>
    </message>
    <message>
        <source>Links to the files…</source>
        <translation>Verweise auf die Dateien …</translation>
    </message>
    <message>
        <source>A table of them…</source>
        <translation>Eine Tabelle davon …</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>a sample of {0}</source>
        <translation>eine Stichprobe von {0}</translation>
    </message>
    <message>
        <source>Names of clusters</source>
        <translation>Namen der Cluster</translation>
    </message>
    <message>
        <source>Overview in the corner where only a part is seen</source>
        <translation>Übersicht in der Ecke, wenn nur ein Teil zu sehen ist</translation>
    </message>
    <message>
        <source>Select all that is seen</source>
        <translation>Alles Sichtbare wählen</translation>
    </message>
    <message>
        <source>Select all of this colour</source>
        <translation>Alles dieser Farbe wählen</translation>
    </message>
    <message>
        <source>Save the whole map as a picture…</source>
        <translation>Die ganze Karte als Bild speichern …</translation>
    </message>
    <message>
        <source>Save the places as a table…</source>
        <translation>Die Orte als Tabelle speichern …</translation>
    </message>
    <message>
        <source>Make the map anew</source>
        <translation>Die Karte neu anlegen</translation>
    </message>
</context>
<context>
    <name>MarkChanges</name>
    <message>
        <source>Undo removal</source>
        <translation>Entfernen zurück</translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) removed.</source>
        <translation>
            <numerusform>%n Markierung entfernt.</numerusform>
            <numerusform>%n Markierungen entfernt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) written into {0}.</source>
        <translation>
            <numerusform>%n Markierung in {0} geschrieben.</numerusform>
            <numerusform>%n Markierungen in {0} geschrieben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo import</source>
        <translation>Einlesen zurück</translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) taken in.</source>
        <translation>
            <numerusform>%n Markierung eingelesen.</numerusform>
            <numerusform>%n Markierungen eingelesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} more were refused.</source>
        <translation>{0} weitere wurden abgelehnt.</translation>
    </message>
</context>
<context>
    <name>MarkColumn</name>
    <message>
        <source>Which marks</source>
        <translation>Welche Markierungen</translation>
    </message>
    <message>
        <source>Which marks are listed</source>
        <translation>Welche Markierungen aufgelistet sind</translation>
    </message>
    <message>
        <source>Export and import marks</source>
        <translation>Markierungen ausgeben und einlesen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Similar</source>
        <translation>Ähnlich</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>Verschieden</translation>
    </message>
    <message>
        <source>Marked both ways</source>
        <translation>Widersprüchlich</translation>
    </message>
    <message>
        <source>Waiting for a photograph</source>
        <translation>Wartet auf ein Foto</translation>
    </message>
    <message>
        <source>No marks yet. Press S or D on results of a search, or answer at the left.</source>
        <translation>Noch keine Markierungen. Auf Ergebnissen einer Suche S oder D drücken, oder links antworten.</translation>
    </message>
    <message>
        <source>None is marked similar yet.</source>
        <translation>Noch ist keines als ähnlich markiert.</translation>
    </message>
    <message>
        <source>None is marked different yet.</source>
        <translation>Noch ist keines als verschieden markiert.</translation>
    </message>
    <message>
        <source>No pair is marked both ways.</source>
        <translation>Kein Paar ist widersprüchlich markiert.</translation>
    </message>
    <message>
        <source>No mark waits for a photograph.</source>
        <translation>Keine Markierung wartet auf ein Foto.</translation>
    </message>
    <message>
        <source>Export marks…</source>
        <translation>Markierungen ausgeben …</translation>
    </message>
    <message>
        <source>Import marks…</source>
        <translation>Markierungen einlesen …</translation>
    </message>
    <message>
        <source>Remove those selected (Del)</source>
        <translation>Gewählte entfernen (Entf)</translation>
    </message>
</context>
<context>
    <name>MarkList</name>
    <message>
        <source>Your marks</source>
        <translation>Ihre Markierungen</translation>
    </message>
</context>
<context>
    <name>Marks</name>
    <message>
        <source>similar</source>
        <translation>ähnlich</translation>
    </message>
    <message>
        <source>different</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>also marked the other way: not used</source>
        <translation>auch umgekehrt markiert: zählt nicht</translation>
    </message>
    <message>
        <source>waits for a photograph</source>
        <translation>wartet auf ein Foto</translation>
    </message>
    <message>
        <source>distance {0}</source>
        <translation>Abstand {0}</translation>
    </message>
    <message>
        <source>distance {0} → {1}</source>
        <translation>Abstand {0} → {1}</translation>
    </message>
    <message>
        <source>marked similar</source>
        <translation>als ähnlich markiert</translation>
    </message>
    <message>
        <source>marked different</source>
        <translation>als verschieden markiert</translation>
    </message>
    <message>
        <source>marked similar and different</source>
        <translation>als ähnlich und als verschieden markiert</translation>
    </message>
    <message>
        <source>Marked **similar**</source>
        <translation>Als **ähnlich** markiert</translation>
    </message>
    <message>
        <source>Marked **different**</source>
        <translation>Als **verschieden** markiert</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>d. MMMM</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>d. MMMM yyyy</translation>
    </message>
    <message>
        <source>{0} on {1}</source>
        <translation>{0} am {1}</translation>
    </message>
    <message>
        <source>from the folder {0}</source>
        <translation>aus dem Ordner {0}</translation>
    </message>
    <message>
        <source>from a file</source>
        <translation>aus einer Datei</translation>
    </message>
    <message>
        <source>from results</source>
        <translation>aus Ergebnissen</translation>
    </message>
    <message>
        <source>from a selection</source>
        <translation>aus einer Auswahl</translation>
    </message>
    <message>
        <source>from a group</source>
        <translation>aus einer Gruppe</translation>
    </message>
    <message>
        <source>from a pair that was named</source>
        <translation>aus einem genannten Paar</translation>
    </message>
    <message>
        <source>from a pair that was offered</source>
        <translation>aus einem vorgelegten Paar</translation>
    </message>
    <message>
        <source>from {0}</source>
        <translation>aus {0}</translation>
    </message>
    <message>
        <source>1 mark</source>
        <translation>1 Markierung</translation>
    </message>
    <message>
        <source>{0} marks</source>
        <translation>{0} Markierungen</translation>
    </message>
</context>
<context>
    <name>MarksControl</name>
    <message>
        <source>That is what was asked with: it cannot be marked with itself.</source>
        <translation>Damit wurde gefragt: Mit sich selbst kann es nicht markiert werden.</translation>
    </message>
    <message>
        <source>{0} photographs</source>
        <translation>{0} Fotos</translation>
    </message>
    <message>
        <source>Taken back: {0}.</source>
        <translation>Zurückgenommen: {0}.</translation>
    </message>
    <message>
        <source>Marked similar: {0}.</source>
        <translation>Als ähnlich markiert: {0}.</translation>
    </message>
    <message>
        <source>Marked different: {0}.</source>
        <translation>Als verschieden markiert: {0}.</translation>
    </message>
    <message>
        <source>A mark is of whole photographs, also where a part was asked with.</source>
        <translation>Eine Markierung gilt ganzen Fotos, auch wo mit einem Ausschnitt gefragt wurde.</translation>
    </message>
    <message>
        <source>{0} is not in the library: add its folder first, then its results can be marked.</source>
        <translation>{0} ist nicht in der Bibliothek: erst den Ordner hinzufügen, dann lassen sich die Ergebnisse markieren.</translation>
    </message>
    <message>
        <source>What was asked with is not in the library: save the picture, add its folder, and ask with it from there.</source>
        <translation>Das Gefragte ist nicht in der Bibliothek: das Bild speichern, seinen Ordner hinzufügen und von dort aus damit fragen.</translation>
    </message>
    <message>
        <source>The mark is removed.</source>
        <translation>Die Markierung ist entfernt.</translation>
    </message>
    <message>
        <source>Select two photographs or more, then S marks them as alike, D two as different.</source>
        <translation>Zwei oder mehr Fotos wählen, dann markiert S sie als ähnlich, D zwei als verschieden.</translation>
    </message>
    <message>
        <source>D marks two photographs as different from each other; {0} are selected.</source>
        <translation>D markiert zwei Fotos als voneinander verschieden; {0} sind gewählt.</translation>
    </message>
    <message>
        <source>{0} photographs are too many to be marked as alike at once: select {1} at most.</source>
        <translation>{0} Fotos sind zu viele, um sie auf einmal als ähnlich zu markieren: höchstens {1} wählen.</translation>
    </message>
    <message numerus="yes">
        <source>Marked as alike: %n photograph(s).</source>
        <translation>
            <numerusform>Als ähnlich markiert: %n Foto.</numerusform>
            <numerusform>Als ähnlich markiert: %n Fotos.</numerusform>
        </translation>
    </message>
    <message>
        <source>Marked as different from each other.</source>
        <translation>Als voneinander verschieden markiert.</translation>
    </message>
    <message>
        <source>Marked as alike: the photographs in {0}.</source>
        <translation>Als ähnlich markiert: die Fotos in {0}.</translation>
    </message>
    <message>
        <source>Marking the photographs in {0} as alike …</source>
        <translation>Die Fotos in {0} werden als ähnlich markiert …</translation>
    </message>
    <message>
        <source>Undone.</source>
        <translation>Rückgängig gemacht.</translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation>Es gibt nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>It was marked so before.</source>
        <translation>Es war schon so markiert.</translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) taken back.</source>
        <translation>
            <numerusform>%n Markierung zurückgenommen.</numerusform>
            <numerusform>%n Markierungen zurückgenommen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MarksPill</name>
    <message>
        <source>with my new marks</source>
        <translation>mit neuen Markierungen</translation>
    </message>
    <message>
        <source>with my marks</source>
        <translation>mit meinen Markierungen</translation>
    </message>
    <message>
        <source>{0} marked similar, {1} marked different</source>
        <translation>{0} als ähnlich markiert, {1} als verschieden</translation>
    </message>
    <message>
        <source>Ask as if those marked similar were asked with too, and those marked different were not wanted</source>
        <translation>Fragen, als wäre auch mit den als ähnlich markierten gefragt, und als wären die als verschieden markierten nicht gewünscht</translation>
    </message>
    <message>
        <source>There are other marks than those that count: ask again with all of them</source>
        <translation>Es gibt andere Markierungen als die, die zählen: noch einmal mit allen fragen</translation>
    </message>
    <message>
        <source>The marks count; ask without them</source>
        <translation>Die Markierungen zählen; ohne sie fragen</translation>
    </message>
    <message>
        <source>Ask with my marks</source>
        <translation>Mit meinen Markierungen fragen</translation>
    </message>
</context>
<context>
    <name>MarksSection</name>
    <message>
        <source>S  similar</source>
        <translation>S  ähnlich</translation>
    </message>
    <message>
        <source>D  different</source>
        <translation>D  verschieden</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>entfernen</translation>
    </message>
    <message>
        <source>Remove this mark</source>
        <translation>Diese Markierung entfernen</translation>
    </message>
</context>
<context>
    <name>Match</name>
    <message>
        <source>Same picture: {0} matching points</source>
        <translation>Dasselbe Bild: {0} passende Punkte</translation>
    </message>
    <message>
        <source>mirrored</source>
        <translation>gespiegelt</translation>
    </message>
    <message>
        <source>in negative</source>
        <translation>als Negativ</translation>
    </message>
</context>
<context>
    <name>MatchOverlay</name>
    <message>
        <source>Where both pictures agree</source>
        <translation>Wo beide Bilder übereinstimmen</translation>
    </message>
    <message>
        <source>L hides the lines, Esc closes</source>
        <translation>L verbirgt die Linien, Esc schließt</translation>
    </message>
</context>
<context>
    <name>Meaning</name>
    <message>
        <source>Centre {0}</source>
        <translation>Zentrum {0}</translation>
    </message>
</context>
<context>
    <name>MeaningView</name>
    <message>
        <source>What is weighed</source>
        <translation>Was gewichtet wird</translation>
    </message>
</context>
<context>
    <name>MetricCard</name>
    <message>
        <source>New name of {name}</source>
        <translation>Neuer Name von {name}</translation>
    </message>
    <message>
        <source>used now</source>
        <translation>in Gebrauch</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Benutzen</translation>
    </message>
    <message>
        <source>Search by {name}</source>
        <translation>Nach {name} suchen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename {name}</source>
        <translation>{name} umbenennen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete {name}</source>
        <translation>{name} löschen</translation>
    </message>
</context>
<context>
    <name>MetricChoice</name>
    <message>
        <source>The metric “{name}” measures {descriptor}.</source>
        <translation>Die Metrik „{name}“ misst {descriptor}.</translation>
    </message>
    <message>
        <source>As the descriptor weighs them</source>
        <translation>Wie der Deskriptor sie gewichtet</translation>
    </message>
    <message>
        <source>As in the metric {name}</source>
        <translation>Wie in der Metrik {name}</translation>
    </message>
    <message>
        <source>Fitted to your photographs  ·  {title}</source>
        <translation>An Ihre Fotos angepasst  ·  {title}</translation>
    </message>
    <message>
        <source>A metric that the library keeps, {note}.</source>
        <translation>Eine Metrik, die die Bibliothek bewahrt, {note}.</translation>
    </message>
    <message>
        <source>No metric: nothing counts more than the descriptor has it.</source>
        <translation>Keine Metrik: Nichts zählt mehr, als es der Deskriptor will.</translation>
    </message>
</context>
<context>
    <name>MetricColumn</name>
    <message>
        <source>Search by what was used before</source>
        <translation>Nach dem vorher Benutzten suchen</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>No metric</source>
        <translation>Keine Metrik</translation>
    </message>
    <message>
        <source>Ranked as the index measures it.</source>
        <translation>Geordnet, wie der Index misst.</translation>
    </message>
    <message>
        <source>Go back to “{0}”</source>
        <translation>Zurück zu „{0}“</translation>
    </message>
</context>
<context>
    <name>Metrics</name>
    <message>
        <source>Marks of other photographs would tell how it stands.</source>
        <translation>Markierungen anderer Fotos würden sagen, was sie taugt.</translation>
    </message>
    <message>
        <source>Pair accuracy {0} % (± {1}) on marks it has not seen</source>
        <translation>Paargenauigkeit {0} % (± {1}) bei Markierungen, die sie nicht kannte</translation>
    </message>
</context>
<context>
    <name>Minimap</name>
    <message>
        <source>Overview of the map</source>
        <translation>Übersicht der Karte</translation>
    </message>
    <message>
        <source>All of the map, and what is seen of it: click or drag to go there (O hides it)</source>
        <translation>Die ganze Karte, und was davon zu sehen ist: Klicken oder Ziehen führt dorthin (O blendet sie aus)</translation>
    </message>
</context>
<context>
    <name>NewIndexPage</name>
    <message>
        <source>New index</source>
        <translation>Neuer Index</translation>
    </message>
    <message>
        <source>Another way of looking: built in the background, beside those that are there.</source>
        <translation>Eine weitere Sichtweise: im Hintergrund aufgebaut, neben denen, die da sind.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Leave without an index</source>
        <translation>Ohne Index zurück</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>Create the index</source>
        <translation>Den Index anlegen</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>Was verglichen wird</translation>
    </message>
    <message>
        <source>How it becomes bits</source>
        <translation>Wie daraus Bits werden</translation>
    </message>
    <message>
        <source>How the bits are searched</source>
        <translation>Wie die Bits durchsucht werden</translation>
    </message>
    <message>
        <source>Which differences count</source>
        <translation>Welche Unterschiede zählen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the index</source>
        <translation>Name des Index</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>Was es kostet</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>Als Text</translation>
    </message>
    <message>
        <source>The index as text</source>
        <translation>Der Index als Text</translation>
    </message>
    <message>
        <source>Descriptor · metric · method · search structure, as the command line takes them</source>
        <translation>Deskriptor · Metrik · Methode · Suchstruktur, wie die Befehlszeile sie nimmt</translation>
    </message>
    <message>
        <source>There is no metric “{name}”.</source>
        <translation>Es gibt keine Metrik „{name}“.</translation>
    </message>
    <message>
        <source>An index is written descriptor · metric · method · search, the metric only where it has one.</source>
        <translation>Ein Index wird geschrieben als Deskriptor · Metrik · Methode · Suche, die Metrik nur, wo er eine hat.</translation>
    </message>
    <message>
        <source>For example: colour · itq:bits=256 · scan</source>
        <translation>Zum Beispiel: colour · itq:bits=256 · scan</translation>
    </message>
    <message>
        <source>There is an index of this name already.</source>
        <translation>Einen Index dieses Namens gibt es schon.</translation>
    </message>
</context>
<context>
    <name>Offer</name>
    <message>
        <source>To begin with: these two are among the nearest to each other.</source>
        <translation>Für den Anfang: Diese beiden gehören zu den nächsten.</translation>
    </message>
    <message>
        <source>To begin with: rather near each other.</source>
        <translation>Für den Anfang: einander recht nah.</translation>
    </message>
    <message>
        <source>To begin with: rather far from each other.</source>
        <translation>Für den Anfang: recht fern voneinander.</translation>
    </message>
    <message>
        <source>They were far from each other, and by what was learned they are near.</source>
        <translation>Sie waren fern voneinander; nach dem Gelernten sind sie nah.</translation>
    </message>
    <message>
        <source>They were near each other, and by what was learned they are far.</source>
        <translation>Sie waren einander nah; nach dem Gelernten sind sie fern.</translation>
    </message>
    <message>
        <source>Twinlens is unsure about this pair.</source>
        <translation>Twinlens ist sich bei diesem Paar unsicher.</translation>
    </message>
    <message>
        <source>Probably alike, which few marks say so far.</source>
        <translation>Wohl ähnlich, was bisher wenige Markierungen sagen.</translation>
    </message>
    <message>
        <source>Probably different, which few marks say so far.</source>
        <translation>Wohl verschieden, was bisher wenige Markierungen sagen.</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>Undo similar</source>
        <translation>„Ähnlich“ zurück</translation>
    </message>
    <message>
        <source>Undo different</source>
        <translation>„Verschieden“ zurück</translation>
    </message>
    <message>
        <source>Undo skip</source>
        <translation>„Weiter“ zurück</translation>
    </message>
    <message>
        <source>Looking for pairs whose mark would teach most …</source>
        <translation>Paare werden gesucht, deren Markierung am meisten lehrt …</translation>
    </message>
    <message>
        <source>There is no pair left whose mark would teach much. New photographs bring new ones.</source>
        <translation>Es ist kein Paar mehr da, dessen Markierung viel lehrt. Neue Fotos bringen neue.</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Open a library, or name a new one</source>
        <translation>Eine Bibliothek öffnen oder eine neue benennen</translation>
    </message>
    <message>
        <source>Library (*.twinlens)</source>
        <translation>Bibliothek (*.twinlens)</translation>
    </message>
</context>
<context>
    <name>PagesControl</name>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>what is known of your photographs, and your searches</source>
        <translation>was über Ihre Fotos bekannt ist, und Ihre Suchen</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Zwischenspeicher</translation>
    </message>
    <message>
        <source>thumbnails; may be deleted at any time</source>
        <translation>Vorschaubilder; darf jederzeit gelöscht werden</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>what went wrong</source>
        <translation>was schiefging</translation>
    </message>
</context>
<context>
    <name>Pair</name>
    <message>
        <source>Press to see both large (Enter)</source>
        <translation>Drücken, um beide groß zu sehen (Eingabe)</translation>
    </message>
    <message>
        <source>What was asked with, and the photograph that was found</source>
        <translation>Womit gefragt wurde, und das gefundene Foto</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) between what agrees</source>
        <translation>
            <numerusform>%n Linie zwischen dem, was übereinstimmt</numerusform>
            <numerusform>%n Linien zwischen dem, was übereinstimmt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PairPictures</name>
    <message>
        <source>Which of these are alike to you?</source>
        <translation>Sind diese für Sie ähnlich?</translation>
    </message>
    <message>
        <source>Click ranks by a photograph, 1 and 2 show the left and the right one large.</source>
        <translation>Ein Klick ordnet nach einem Foto, 1 und 2 zeigen das linke und das rechte groß.</translation>
    </message>
</context>
<context>
    <name>PairView</name>
    <message>
        <source>Which of these are alike to you?</source>
        <translation>Sind diese für Sie ähnlich?</translation>
    </message>
    <message>
        <source>S  similar</source>
        <translation>S  ähnlich</translation>
    </message>
    <message>
        <source>These are alike to me</source>
        <translation>Diese sind für mich ähnlich</translation>
    </message>
    <message>
        <source>D  different</source>
        <translation>D  verschieden</translation>
    </message>
    <message>
        <source>These are different to me</source>
        <translation>Diese sind für mich verschieden</translation>
    </message>
    <message>
        <source>Space  skip</source>
        <translation>Leertaste  weiter</translation>
    </message>
    <message>
        <source>Leave these, and show others</source>
        <translation>Diese lassen und andere zeigen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Take the last mark back</source>
        <translation>Die letzte Markierung zurücknehmen</translation>
    </message>
</context>
<context>
    <name>PairsControl</name>
    <message>
        <source>The pair is taken away.</source>
        <translation>Das Paar ist weggenommen.</translation>
    </message>
    <message>
        <source>Nothing is marked yet: press S or D on results of a search, or choose photographs here.</source>
        <translation>Noch ist nichts markiert: auf Ergebnissen einer Suche S oder D drücken, oder hier Fotos wählen.</translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) taken from your marks.</source>
        <translation>
            <numerusform>%n Paar aus Ihren Markierungen übernommen.</numerusform>
            <numerusform>%n Paare aus Ihren Markierungen übernommen.</numerusform>
        </translation>
    </message>
    <message>
        <source>All your marks are here already.</source>
        <translation>Alle Ihre Markierungen sind schon hier.</translation>
    </message>
    <message>
        <source>Drop photographs two by two.</source>
        <translation>Fotos zu zweit ablegen.</translation>
    </message>
    <message>
        <source>The pair is added.</source>
        <translation>Das Paar ist hinzugefügt.</translation>
    </message>
</context>
<context>
    <name>PairsPanel</name>
    <message>
        <source>Drop two photographs here, or choose them below</source>
        <translation>Zwei Fotos hierher ziehen oder unten wählen</translation>
    </message>
    <message>
        <source>These should match</source>
        <translation>Diese gehören zusammen</translation>
    </message>
    <message>
        <source>These should not</source>
        <translation>Diese nicht</translation>
    </message>
    <message>
        <source>Take my marks  M</source>
        <translation>Meine Markierungen  M</translation>
    </message>
    <message>
        <source>Take the pairs that you have marked</source>
        <translation>Die Paare nehmen, die Sie markiert haben</translation>
    </message>
    <message>
        <source>Choose photographs  P</source>
        <translation>Fotos wählen  P</translation>
    </message>
    <message>
        <source>Choose photographs of the library, two by two</source>
        <translation>Fotos der Bibliothek wählen, zwei auf einmal</translation>
    </message>
    <message>
        <source>Filter by name or folder</source>
        <translation>Nach Name oder Ordner filtern</translation>
    </message>
    <message>
        <source>S  should match</source>
        <translation>S  zusammen</translation>
    </message>
    <message>
        <source>These two should match</source>
        <translation>Diese zwei gehören zusammen</translation>
    </message>
    <message>
        <source>D  should not</source>
        <translation>D  nicht</translation>
    </message>
    <message>
        <source>These two should not match</source>
        <translation>Diese zwei gehören nicht zusammen</translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s)</source>
        <translation>
            <numerusform>%n Paar</numerusform>
            <numerusform>%n Paare</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose two: click one, Ctrl+click the other</source>
        <translation>Zwei wählen: das eine mit Klick, das andere mit Strg+Klick</translation>
    </message>
    <message>
        <source>Choose exactly two photographs.</source>
        <translation>Genau zwei Fotos wählen.</translation>
    </message>
</context>
<context>
    <name>PhotoGrid</name>
    <message>
        <source>Photographs</source>
        <translation>Fotos</translation>
    </message>
</context>
<context>
    <name>PhotographActions</name>
    <message numerus="yes">
        <source>%n photograph(s) copied</source>
        <translation>
            <numerusform>%n Foto kopiert</numerusform>
            <numerusform>%n Fotos kopiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Their disk is not connected, or their files are gone: connect it, or rescan.</source>
        <translation>Das Laufwerk ist nicht verbunden, oder die Dateien sind weg: Laufwerk verbinden oder nach Änderungen sehen.</translation>
    </message>
    <message>
        <source>The system has no program that opens {0}.</source>
        <translation>Das System hat kein Programm, das {0} öffnet.</translation>
    </message>
    <message>
        <source>Write the list as</source>
        <translation>Die Liste schreiben als</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>Export to which folder?</source>
        <translation>In welchen Ordner ausgeben?</translation>
    </message>
    <message>
        <source>{0} photographs exported to {1}</source>
        <translation>{0} Fotos nach {1} ausgegeben</translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read:</source>
        <translation>
            <numerusform>%n konnte nicht gelesen werden:</numerusform>
            <numerusform>%n konnten nicht gelesen werden:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PhotographMenu</name>
    <message>
        <source>Find look-alikes of these</source>
        <translation>Ähnliche zu diesen finden</translation>
    </message>
    <message>
        <source>Find look-alikes</source>
        <translation>Ähnliche finden</translation>
    </message>
    <message>
        <source>Compare indexes</source>
        <translation>Indexe vergleichen</translation>
    </message>
    <message>
        <source>Compare indexes by what is asked</source>
        <translation>Indexe am Gefragten vergleichen</translation>
    </message>
    <message>
        <source>More like this</source>
        <translation>Mehr wie dieses</translation>
    </message>
    <message>
        <source>Not like this</source>
        <translation>Nicht wie dieses</translation>
    </message>
    <message>
        <source>Show large</source>
        <translation>Groß zeigen</translation>
    </message>
    <message>
        <source>Show on the map</source>
        <translation>Auf der Karte zeigen</translation>
    </message>
    <message>
        <source>Show in the library</source>
        <translation>In der Bibliothek zeigen</translation>
    </message>
    <message>
        <source>Explore with this photograph</source>
        <translation>Mit diesem Foto erkunden</translation>
    </message>
    <message>
        <source>Similar to what was asked</source>
        <translation>Ähnlich zum Gefragten</translation>
    </message>
    <message>
        <source>Different from what was asked</source>
        <translation>Verschieden vom Gefragten</translation>
    </message>
    <message numerus="yes">
        <source>Mark all %n confirmed as similar</source>
        <translation>
            <numerusform>Das %n bestätigte als ähnlich markieren</numerusform>
            <numerusform>Alle %n bestätigten als ähnlich markieren</numerusform>
        </translation>
    </message>
    <message>
        <source>These are alike</source>
        <translation>Diese sind ähnlich</translation>
    </message>
    <message>
        <source>These are different</source>
        <translation>Diese sind verschieden</translation>
    </message>
    <message>
        <source>Open in another program</source>
        <translation>In einem anderen Programm öffnen</translation>
    </message>
    <message>
        <source>Show in the file manager</source>
        <translation>In der Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Export copies…</source>
        <translation>Kopien ausgeben …</translation>
    </message>
    <message>
        <source>Export links…</source>
        <translation>Verweise ausgeben …</translation>
    </message>
    <message>
        <source>Export a table…</source>
        <translation>Tabelle ausgeben …</translation>
    </message>
</context>
<context>
    <name>PhotographPicker</name>
    <message>
        <source>Photograph to take colours from: arrows move, Enter takes</source>
        <translation>Foto, aus dem Farben genommen werden: Pfeile bewegen, Eingabe nimmt</translation>
    </message>
</context>
<context>
    <name>ProblemDelegate</name>
    <message>
        <source>set aside</source>
        <translation>beiseitegelegt</translation>
    </message>
</context>
<context>
    <name>ProblemList</name>
    <message>
        <source>Files that could not be read</source>
        <translation>Dateien, die nicht gelesen werden konnten</translation>
    </message>
</context>
<context>
    <name>ProblemsPage</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Retry all</source>
        <translation>Alle noch einmal</translation>
    </message>
    <message>
        <source>Read all these files again</source>
        <translation>Alle diese Dateien noch einmal lesen</translation>
    </message>
    <message>
        <source>Every file could be read. There is nothing to do here.</source>
        <translation>Jede Datei konnte gelesen werden. Hier ist nichts zu tun.</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Read the chosen files again</source>
        <translation>Die gewählten Dateien noch einmal lesen</translation>
    </message>
    <message>
        <source>Set aside</source>
        <translation>Beiseitelegen</translation>
    </message>
    <message>
        <source>List the chosen files no longer</source>
        <translation>Die gewählten Dateien nicht mehr auflisten</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Show the file in the file manager</source>
        <translation>Die Datei in der Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Also those set aside</source>
        <translation>Auch beiseitegelegte</translation>
    </message>
    <message>
        <source>Also list the files that were set aside</source>
        <translation>Auch die beiseitegelegten Dateien auflisten</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>Andere Dateien</translation>
    </message>
    <message>
        <source>Also list the files that are no pictures</source>
        <translation>Auch die Dateien auflisten, die keine Bilder sind</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be read. Your other photographs are not affected.</source>
        <translation>
            <numerusform>%n Datei konnte nicht gelesen werden. Ihre anderen Fotos betrifft das nicht.</numerusform>
            <numerusform>%n Dateien konnten nicht gelesen werden. Ihre anderen Fotos betrifft das nicht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Every file could be read.</source>
        <translation>Jede Datei konnte gelesen werden.</translation>
    </message>
    <message numerus="yes">
        <source>%n mended</source>
        <translation>
            <numerusform>%n in Ordnung gebracht</numerusform>
            <numerusform>%n in Ordnung gebracht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) read again</source>
        <translation>
            <numerusform>%n Datei noch einmal gelesen</numerusform>
            <numerusform>%n Dateien noch einmal gelesen</numerusform>
        </translation>
    </message>
    <message>
        <source>This file is no picture.</source>
        <translation>Diese Datei ist kein Bild.</translation>
    </message>
    <message>
        <source>List again</source>
        <translation>Wieder auflisten</translation>
    </message>
    <message numerus="yes">
        <source>%n chosen</source>
        <translation>
            <numerusform>%n gewählt</numerusform>
            <numerusform>%n gewählt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueryBar</name>
    <message>
        <source>What is asked</source>
        <translation>Was gefragt ist</translation>
    </message>
    <message>
        <source>+ like</source>
        <translation>+ wie</translation>
    </message>
    <message>
        <source>Add an example that the results should be like</source>
        <translation>Ein Beispiel hinzufügen, dem die Ergebnisse gleichen sollen</translation>
    </message>
    <message>
        <source>− not like</source>
        <translation>− nicht wie</translation>
    </message>
    <message>
        <source>Add an example that the results should not be like</source>
        <translation>Ein Beispiel hinzufügen, dem die Ergebnisse nicht gleichen sollen</translation>
    </message>
    <message>
        <source>◩ crop</source>
        <translation>◩ Ausschnitt</translation>
    </message>
    <message>
        <source>Ask with a part of the picture only</source>
        <translation>Nur mit einem Teil des Bildes fragen</translation>
    </message>
    <message>
        <source>◐ colours</source>
        <translation>◐ Farben</translation>
    </message>
    <message>
        <source>Ask with colours or a sketch</source>
        <translation>Mit Farben oder einer Skizze fragen</translation>
    </message>
    <message>
        <source>Search with colours or a sketch ({key}); with Shift, together with these photos ({more})</source>
        <translation>Mit Farben oder einer Skizze suchen ({key}); mit Umschalt zusammen mit diesen Fotos ({more})</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>Labor</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Indexes</source>
        <translation>Indexe</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Rows</name>
    <message>
        <source>Photograph {0} of {1}, {2}</source>
        <translation>Foto {0} von {1}, {2}</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht verbunden</translation>
    </message>
    <message>
        <source>Without a date</source>
        <translation>Ohne Datum</translation>
    </message>
    <message>
        <source>missed; </source>
        <translation>verfehlt; </translation>
    </message>
    <message>
        <source>{0}: {1}, similarity {2}</source>
        <translation>{0}: {1}, Ähnlichkeit {2}</translation>
    </message>
    <message>
        <source>asked</source>
        <translation>gefragt</translation>
    </message>
    <message>
        <source>less sure, as your marks say</source>
        <translation>weniger sicher, sagen Ihre Markierungen</translation>
    </message>
</context>
<context>
    <name>SearchControl</name>
    <message>
        <source>{0} pictures are too many to search with: at most {1} can be asked with together.</source>
        <translation>{0} Bilder sind zu viele für eine Suche: Mit höchstens {1} zusammen kann gefragt werden.</translation>
    </message>
    <message>
        <source>“{index}” compares {words}, of which colours alone say nothing.</source>
        <translation>„{index}“ vergleicht {words}; darüber sagen Farben allein nichts.</translation>
    </message>
    <message>
        <source>Ask “{index}”</source>
        <translation>„{index}“ fragen</translation>
    </message>
    <message>
        <source>Make an index of colours</source>
        <translation>Index der Farben anlegen</translation>
    </message>
    <message>
        <source>no longer in the library</source>
        <translation>nicht mehr in der Bibliothek</translation>
    </message>
    <message>
        <source>A photo of this search is no longer in the library.</source>
        <translation>Ein Foto dieser Suche ist nicht mehr in der Bibliothek.</translation>
    </message>
</context>
<context>
    <name>SearchView</name>
    <message>
        <source>Back to the search before</source>
        <translation>Zurück zur vorigen Suche</translation>
    </message>
    <message>
        <source>Forward to the next search</source>
        <translation>Vor zur nächsten Suche</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Earlier and saved searches</source>
        <translation>Frühere und gemerkte Suchen</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Folders and filters, at the left</source>
        <translation>Ordner und Filter, links</translation>
    </message>
    <message>
        <source>Nothing is as alike as that.</source>
        <translation>So ähnlich ist nichts.</translation>
    </message>
    <message>
        <source>Show all results</source>
        <translation>Alle Ergebnisse zeigen</translation>
    </message>
    <message>
        <source>Choose a photograph in the library and press Enter, drop a picture here, or paste one.</source>
        <translation>Wählen Sie ein Foto in der Bibliothek und drücken Sie die Eingabetaste, ziehen Sie ein Bild hierher oder fügen Sie eines ein.</translation>
    </message>
    <message>
        <source>Go to the library</source>
        <translation>Zur Bibliothek</translation>
    </message>
    <message>
        <source>◐ Ask with colours or a sketch</source>
        <translation>◐ Mit Farben oder einer Skizze fragen</translation>
    </message>
    <message>
        <source>Ask with colours</source>
        <translation>Mit Farben fragen</translation>
    </message>
    <message>
        <source>No photograph fits what you chose.</source>
        <translation>Kein Foto passt zu dem, was Sie gewählt haben.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>The photographs that were to be compared are not where they were.</source>
        <translation>Die Fotos, die verglichen werden sollten, sind nicht mehr, wo sie waren.</translation>
    </message>
    <message>
        <source>Look for them</source>
        <translation>Nach ihnen sehen</translation>
    </message>
    <message>
        <source>None of these is confirmed to show the same picture.</source>
        <translation>Von diesen zeigt keines bestätigt dasselbe Bild.</translation>
    </message>
    <message>
        <source>Filters •</source>
        <translation>Filter •</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Show in the library</source>
        <translation>In der Bibliothek zeigen</translation>
    </message>
    <message>
        <source>Show what is selected in the library</source>
        <translation>Gewähltes in der Bibliothek zeigen</translation>
    </message>
    <message>
        <source>These are alike</source>
        <translation>Diese sind ähnlich</translation>
    </message>
    <message>
        <source>Mark what is selected as alike</source>
        <translation>Gewähltes als ähnlich markieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Ausgeben …</translation>
    </message>
    <message>
        <source>Export what is selected: copies, links or a table</source>
        <translation>Gewähltes ausgeben: Kopien, Verweise oder eine Tabelle</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Aufheben</translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation>Nichts wählen</translation>
    </message>
    <message numerus="yes">
        <source>%n photograph(s) inside</source>
        <translation>
            <numerusform>%n Foto darin</numerusform>
            <numerusform>%n Fotos darin</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photograph(s) selected</source>
        <translation>
            <numerusform>%n Foto gewählt</numerusform>
            <numerusform>%n Fotos gewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag moves · the wheel comes closer · Shift+drag or L selects · Enter finds look-alikes · F shows all</source>
        <translation>Ziehen bewegt · das Rad kommt näher · Umschalt+Ziehen oder L wählt · Eingabe findet Ähnliche · F zeigt alles</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Changes apply immediately unless noted.</source>
        <translation>Änderungen gelten sofort, wenn nichts anderes dabeisteht.</translation>
    </message>
    <message>
        <source>Standard values</source>
        <translation>Standardwerte</translation>
    </message>
    <message>
        <source>Set everything to its standard</source>
        <translation>Alles auf den Standard setzen</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Show every key</source>
        <translation>Alle Tasten zeigen</translation>
    </message>
    <message>
        <source>How Twinlens works</source>
        <translation>Wie Twinlens arbeitet</translation>
    </message>
    <message>
        <source>Where your data is, and what leaves this machine</source>
        <translation>Wo Ihre Daten sind, und was diesen Rechner verlässt</translation>
    </message>
    <message>
        <source>Nothing leaves this machine.</source>
        <translation>Nichts verlässt diesen Rechner.</translation>
    </message>
    <message>
        <source>Your photographs stay where they are and are never changed. Twinlens keeps what it has learned about them in these places, and talks to no other machine; only the demo, when you ask for it, fetches its photographs from the network.</source>
        <translation>Ihre Fotos bleiben, wo sie sind, und werden nie verändert. Was Twinlens über sie gelernt hat, liegt an diesen Orten, und es spricht mit keinem anderen Rechner; nur die Vorführung holt ihre Fotos aus dem Netz, wenn Sie sie aufrufen.</translation>
    </message>
    <message>
        <source>Version and log</source>
        <translation>Version und Protokoll</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the version</source>
        <translation>Die Version kopieren</translation>
    </message>
    <message>
        <source>The last lines of the log</source>
        <translation>Die letzten Zeilen des Protokolls</translation>
    </message>
    <message>
        <source>The log is empty: nothing went wrong.</source>
        <translation>Das Protokoll ist leer: Nichts ging schief.</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>Protokoll kopieren</translation>
    </message>
    <message>
        <source>Copy version and log, to report a mistake</source>
        <translation>Version und Protokoll kopieren, um einen Fehler zu melden</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open {name}</source>
        <translation>{name} öffnen</translation>
    </message>
    <message>
        <source>Copy the path of {name}</source>
        <translation>Den Pfad von {name} kopieren</translation>
    </message>
</context>
<context>
    <name>ShareStrip</name>
    <message>
        <source>Drag an edge to change shares (Up, Down); Del takes a colour away</source>
        <translation>Einen Rand ziehen, um Anteile zu ändern (Auf, Ab); Entf nimmt eine Farbe weg</translation>
    </message>
    <message>
        <source>Colours of the palette: none yet</source>
        <translation>Farben der Palette: noch keine</translation>
    </message>
    <message>
        <source>Colours of the palette: {0}</source>
        <translation>Farben der Palette: {0}</translation>
    </message>
    <message>
        <source>Chosen: {0}</source>
        <translation>Gewählt: {0}</translation>
    </message>
    <message>
        <source>Choose a colour below</source>
        <translation>Unten eine Farbe wählen</translation>
    </message>
</context>
<context>
    <name>Sheet</name>
    <message>
        <source>asked</source>
        <translation>gefragt</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>All photographs</source>
        <translation>Alle Fotos</translation>
    </message>
    <message>
        <source>⏏ {0} (offline)</source>
        <translation>⏏ {0} (nicht verbunden)</translation>
    </message>
    <message>
        <source>{0}, {1} photographs</source>
        <translation>{0}, {1} Fotos</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Look for changes</source>
        <translation>Nach Änderungen sehen</translation>
    </message>
    <message>
        <source>Open in the file manager</source>
        <translation>In der Dateiverwaltung öffnen</translation>
    </message>
    <message>
        <source>Photographs in here are alike</source>
        <translation>Fotos hierin sind ähnlich</translation>
    </message>
    <message>
        <source>Forget this folder</source>
        <translation>Diesen Ordner vergessen</translation>
    </message>
</context>
<context>
    <name>SimilarityHistogram</name>
    <message>
        <source>Similarities</source>
        <translation>Ähnlichkeiten</translation>
    </message>
    <message>
        <source>How similar a sample of the library is to what was asked (heights are square roots of counts).</source>
        <translation>Wie ähnlich eine Stichprobe der Bibliothek dem Gesuchten ist (Höhen sind Quadratwurzeln der Anzahlen).</translation>
    </message>
    <message>
        <source>Drag a handle, or use the arrow keys on it, to narrow; a double click shows all again.</source>
        <translation>Einen Griff ziehen oder mit den Pfeiltasten bewegen grenzt ein; ein Doppelklick zeigt wieder alles.</translation>
    </message>
    <message>
        <source>Least similarity</source>
        <translation>Kleinste Ähnlichkeit</translation>
    </message>
    <message>
        <source>Greatest similarity</source>
        <translation>Größte Ähnlichkeit</translation>
    </message>
    <message>
        <source>Right of the triangle about {wrong} % are wrong, as your marks say; a click on it shows these.</source>
        <translation>Rechts vom Dreieck sind etwa {wrong} % falsch, sagen Ihre Markierungen; ein Klick darauf zeigt diese.</translation>
    </message>
</context>
<context>
    <name>Single</name>
    <message>
        <source>The window of the library {0} does not answer.</source>
        <translation>Das Fenster der Bibliothek {0} antwortet nicht.</translation>
    </message>
    <message>
        <source>Wait until it has closed, or end it, and start again.</source>
        <translation>Warten Sie, bis es geschlossen ist, oder beenden Sie es, und starten Sie neu.</translation>
    </message>
</context>
<context>
    <name>SketchCanvas</name>
    <message>
        <source>Sketch: arrows move, Space paints, Shift with arrows paints a line</source>
        <translation>Skizze: Pfeile bewegen, Leertaste malt, Umschalt mit Pfeilen malt eine Linie</translation>
    </message>
    <message>
        <source>Paint where which colour is;
what stays empty may be anything</source>
        <translation>Malen, wo welche Farbe ist;
was leer bleibt, darf alles sein</translation>
    </message>
</context>
<context>
    <name>SketchPage</name>
    <message>
        <source>Brush</source>
        <translation>Pinsel</translation>
    </message>
    <message>
        <source>Eraser: what is wiped may be anything</source>
        <translation>Radierer: Was gewischt ist, darf alles sein</translation>
    </message>
    <message>
        <source>Thin</source>
        <translation>Dünn</translation>
    </message>
    <message>
        <source>Middle</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Thick</source>
        <translation>Dick</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Do again</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Wipe everything</source>
        <translation>Alles wischen</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortfahren</translation>
    </message>
    <message>
        <source>Read the photos that are still to be added; it goes on where it stopped</source>
        <translation>Die Fotos lesen, die noch hinzuzufügen sind; es geht weiter, wo es aufgehört hat</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Pause what runs; it goes on from there (Ctrl+P)</source>
        <translation>Anhalten, was läuft; es geht von dort weiter (Strg+P)</translation>
    </message>
    <message>
        <source>Stop what runs; what is done is kept (Ctrl+.)</source>
        <translation>Abbrechen, was läuft; was getan ist, bleibt (Strg+.)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>noch {0}</translation>
    </message>
    <message>
        <source>then: {0}</source>
        <translation>dann: {0}</translation>
    </message>
    <message numerus="yes">
        <source>%n more after this</source>
        <translation>
            <numerusform>danach noch %n</numerusform>
            <numerusform>danach noch %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Paused · {0}</source>
        <translation>Angehalten · {0}</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>Strip</name>
    <message>
        <source>asked with</source>
        <translation>damit gefragt</translation>
    </message>
    <message>
        <source>marked similar</source>
        <translation>als ähnlich markiert</translation>
    </message>
    <message>
        <source>marked different</source>
        <translation>als verschieden markiert</translation>
    </message>
    <message>
        <source>Click ranks by it here, Enter searches with it, Space shows it large.</source>
        <translation>Ein Klick ordnet hier danach, Eingabe sucht damit, Leertaste zeigt es groß.</translation>
    </message>
    <message>
        <source>asked</source>
        <translation>gefragt</translation>
    </message>
</context>
<context>
    <name>StripsView</name>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Another  A</source>
        <translation>Anderes  A</translation>
    </message>
    <message>
        <source>Rank by another photograph</source>
        <translation>Nach einem anderen Foto ordnen</translation>
    </message>
    <message>
        <source>Choose a photograph above to see how the library is ranked by it.</source>
        <translation>Oben ein Foto wählen, um zu sehen, wie die Bibliothek danach geordnet ist.</translation>
    </message>
    <message>
        <source>Once something is learned, the new order stands here.</source>
        <translation>Ist etwas gelernt, steht hier die neue Ordnung.</translation>
    </message>
</context>
<context>
    <name>SureLink</name>
    <message>
        <source>{0} of {1} sure</source>
        <translation>{0} von {1} sicher</translation>
    </message>
    <message>
        <source>No confirmed matches</source>
        <translation>Keine bestätigten Treffer</translation>
    </message>
    <message>
        <source>Based on your {3} marks, about {0} % of these are wrong (between {1} and {2} %).
Results confirmed point by point count as sure, too. Click to show only the sure results, again for all.</source>
        <translation>Nach Ihren {3} Markierungen sind etwa {0} % davon falsch (zwischen {1} und {2} %).
Punkt für Punkt bestätigte Ergebnisse gelten auch als sicher. Klicken zeigt nur die sicheren, noch einmal alle.</translation>
    </message>
</context>
<context>
    <name>Swatches</name>
    <message>
        <source>red</source>
        <translation>Rot</translation>
    </message>
    <message>
        <source>orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>yellow</source>
        <translation>Gelb</translation>
    </message>
    <message>
        <source>light green</source>
        <translation>Hellgrün</translation>
    </message>
    <message>
        <source>green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>teal</source>
        <translation>Petrol</translation>
    </message>
    <message>
        <source>sky blue</source>
        <translation>Himmelblau</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>violet</source>
        <translation>Violett</translation>
    </message>
    <message>
        <source>pink</source>
        <translation>Pink</translation>
    </message>
    <message>
        <source>brown</source>
        <translation>Braun</translation>
    </message>
    <message>
        <source>black</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>dark red</source>
        <translation>Dunkelrot</translation>
    </message>
    <message>
        <source>sand</source>
        <translation>Sand</translation>
    </message>
    <message>
        <source>pale yellow</source>
        <translation>Blassgelb</translation>
    </message>
    <message>
        <source>olive</source>
        <translation>Oliv</translation>
    </message>
    <message>
        <source>dark green</source>
        <translation>Dunkelgrün</translation>
    </message>
    <message>
        <source>pale green</source>
        <translation>Blassgrün</translation>
    </message>
    <message>
        <source>pale blue</source>
        <translation>Blassblau</translation>
    </message>
    <message>
        <source>dark blue</source>
        <translation>Dunkelblau</translation>
    </message>
    <message>
        <source>lilac</source>
        <translation>Flieder</translation>
    </message>
    <message>
        <source>rose</source>
        <translation>Rosé</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>white</source>
        <translation>Weiß</translation>
    </message>
    <message>
        <source>Common colours: {0}</source>
        <translation>Häufige Farben: {0}</translation>
    </message>
</context>
<context>
    <name>Taking</name>
    <message>
        <source>Add a folder of photographs</source>
        <translation>Einen Ordner mit Fotos hinzufügen</translation>
    </message>
    <message>
        <source>A picture that the results should be like</source>
        <translation>Ein Bild, dem die Ergebnisse gleichen sollen</translation>
    </message>
    <message>
        <source>A picture to keep away from</source>
        <translation>Ein Bild, von dem sie wegbleiben sollen</translation>
    </message>
    <message>
        <source>{0} is not there any more.</source>
        <translation>{0} ist nicht mehr da.</translation>
    </message>
    <message>
        <source>There is no picture on the clipboard, and no path of one.</source>
        <translation>In der Zwischenablage ist kein Bild und kein Pfad zu einem.</translation>
    </message>
    <message>
        <source>The picture on the clipboard cannot be read.</source>
        <translation>Das Bild in der Zwischenablage kann nicht gelesen werden.</translation>
    </message>
</context>
<context>
    <name>Theory</name>
    <message>
        <source>Defaults</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Choose what is usual again</source>
        <translation>Wieder das Übliche wählen</translation>
    </message>
    <message>
        <source>Theory</source>
        <translation>Theorie</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Compute again</source>
        <translation>Neu rechnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop computing</source>
        <translation>Das Rechnen abbrechen</translation>
    </message>
    <message>
        <source>Export all</source>
        <translation>Alle ausgeben</translation>
    </message>
    <message>
        <source>Write all charts</source>
        <translation>Alle Diagramme schreiben</translation>
    </message>
    <message>
        <source>The library has changed since</source>
        <translation>Die Bibliothek hat sich seither geändert</translation>
    </message>
    <message>
        <source>Computing: {0}</source>
        <translation>Gerechnet wird: {0}</translation>
    </message>
    <message>
        <source>All charts as PNG…</source>
        <translation>Alle Diagramme als PNG …</translation>
    </message>
    <message>
        <source>All charts as SVG…</source>
        <translation>Alle Diagramme als SVG …</translation>
    </message>
    <message>
        <source>All points as CSV…</source>
        <translation>Alle Punkte als CSV …</translation>
    </message>
    <message>
        <source>What does rank do to KLSH on your photographs?</source>
        <translation>Was macht der Rang mit KLSH bei Ihren Fotos?</translation>
    </message>
    <message>
        <source>What does rank do to KLSH?</source>
        <translation>Was macht der Rang mit KLSH?</translation>
    </message>
    <message>
        <source>KLSH hashes a photograph by where it lies in the space of a kernel, of which it knows a sample: the landmarks. The rank says how many of the sample&apos;s leading directions count. The first ones hold what photographs differ in; the last ones are little more than chance.</source>
        <translation>KLSH macht ein Foto danach zum Code, wo es im Raum eines Kerns liegt; von ihm kennt es eine Stichprobe: die Landmarken. Der Rang sagt, wie viele der führenden Richtungen der Stichprobe zählen. Die ersten enthalten, worin sich Fotos unterscheiden; die letzten sind kaum mehr als Zufall.</translation>
    </message>
    <message>
        <source>How well do bits tell how alike two photographs are?</source>
        <translation>Wie gut sagen Bits, wie ähnlich zwei Fotos sind?</translation>
    </message>
    <message>
        <source>What do bits tell of a kernel?</source>
        <translation>Was sagen Bits über einen Kern?</translation>
    </message>
    <message>
        <source>Bits of random waves differ the more often, the less alike two photographs are under a kernel that depends on their difference alone. Theory says how often to expect it, and within which bounds; every pair of photographs shows how far off it is.</source>
        <translation>Bits zufälliger Wellen sind desto öfter verschieden, je weniger ähnlich zwei Fotos unter einem Kern sind, der nur von ihrem Unterschied abhängt. Die Theorie sagt, wie oft das zu erwarten ist und in welchen Schranken; jedes Paar von Fotos zeigt, wie weit es davon abliegt.</translation>
    </message>
    <message>
        <source>How much work do norm bounds spare an exact search?</source>
        <translation>Wie viel Arbeit ersparen Normschranken einer genauen Suche?</translation>
    </message>
    <message>
        <source>What do norm bounds spare?</source>
        <translation>Was ersparen Normschranken?</translation>
    </message>
    <message>
        <source>Two photographs cannot be nearer than their norms differ. An exact search that knows the norms can leave out, uncompared, what is too far by this bound (1). The paper&apos;s second bound is not true of every pair: it may lose neighbours.</source>
        <translation>Zwei Fotos können einander nicht näher sein, als sich ihre Normen unterscheiden. Eine genaue Suche, die die Normen kennt, kann unverglichen auslassen, was nach dieser Schranke (1) zu fern ist. Die zweite Schranke der Arbeit gilt nicht für jedes Paar: Sie kann Nachbarn verlieren.</translation>
    </message>
    <message>
        <source>What does the rotation of ITQ gain?</source>
        <translation>Was bringt die Drehung von ITQ?</translation>
    </message>
    <message>
        <source>What does a rotation gain?</source>
        <translation>Was bringt eine Drehung?</translation>
    </message>
    <message>
        <source>ITQ keeps the directions in which photographs differ most, and of each one bit: its sign. Before it takes signs it turns the directions, step by step, so that photographs come to lie as near as can be to the corners of a cube, where signs lose least.</source>
        <translation>ITQ behält die Richtungen, in denen sich Fotos am meisten unterscheiden, und von jeder ein Bit: das Vorzeichen. Zuvor dreht es die Richtungen Schritt für Schritt so, dass Fotos möglichst nah an den Ecken eines Würfels liegen, wo Vorzeichen am wenigsten verlieren.</translation>
    </message>
    <message>
        <source>What has a metric learned from your marks?</source>
        <translation>Was hat eine Metrik aus Ihren Markierungen gelernt?</translation>
    </message>
    <message>
        <source>What has a metric learned?</source>
        <translation>Was hat eine Metrik gelernt?</translation>
    </message>
    <message>
        <source>A metric learned from marks stretches directions in which photographs that you call different lie apart, and shrinks those in which alike ones do; most stay as they are.</source>
        <translation>Eine aus Markierungen gelernte Metrik streckt Richtungen, in denen Fotos auseinanderliegen, die Sie verschieden nennen, und staucht die, in denen es ähnliche tun; die meisten bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Photographs of</source>
        <translation>Fotos von</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Landmarks</source>
        <translation>Landmarken</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Transform s</source>
        <translation>Transformation s</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The index whose vectors are looked at</source>
        <translation>Der Index, dessen Vektoren betrachtet werden</translation>
    </message>
    <message>
        <source>How photographs are compared; its own is the one that the index ranks by</source>
        <translation>Wie Fotos verglichen werden; sein eigener ist der, nach dem der Index ordnet</translation>
    </message>
    <message>
        <source>One of the metrics that were learned from marks</source>
        <translation>Eine der Metriken, die aus Markierungen gelernt wurden</translation>
    </message>
    <message>
        <source>Photographs that the space of the kernel is learned from, 20 to 500</source>
        <translation>Fotos, aus denen der Raum des Kerns gelernt wird, 20 bis 500</translation>
    </message>
    <message>
        <source>Length of the codes, 8 to 1,024</source>
        <translation>Länge der Codes, 8 bis 1024</translation>
    </message>
    <message>
        <source>Scale of the transform exp(s (k − 1)) that is held against none; 0 for none</source>
        <translation>Maßstab der Transformation exp(s (k − 1)), die gegen keine gehalten wird; 0 für keine</translation>
    </message>
    <message>
        <source>Photographs that are looked at, at most; more take longer</source>
        <translation>Wie viele Fotos höchstens betrachtet werden; mehr dauern länger</translation>
    </message>
    <message>
        <source>Of everything that is drawn by chance: another one shows how much chance does</source>
        <translation>Für alles, was zufällig gezogen wird: Ein anderer zeigt, wie viel der Zufall ausmacht</translation>
    </message>
    <message>
        <source>Looking at the library…</source>
        <translation>Die Bibliothek wird angesehen …</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Es wird gerechnet …</translation>
    </message>
    <message>
        <source>Stopped. Press Compute to go on.</source>
        <translation>Abgebrochen. Rechnen drücken, um weiterzumachen.</translation>
    </message>
    <message>
        <source>Theory is drawn over measurements of your own photographs, and there are too few of them yet.</source>
        <translation>Theorie wird über Messungen an Ihren eigenen Fotos gezeichnet, und davon gibt es noch zu wenige.</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>No metric has been learned from marks yet. Mark some photographs as similar and different.</source>
        <translation>Noch ist keine Metrik aus Markierungen gelernt. Markieren Sie einige Fotos als ähnlich und verschieden.</translation>
    </message>
    <message>
        <source>Learn from marks</source>
        <translation>Aus Markierungen lernen</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>sein eigener</translation>
    </message>
</context>
<context>
    <name>TimingLine</name>
    <message>
        <source>compare with exact</source>
        <translation>mit genau vergleichen</translation>
    </message>
    <message>
        <source>Measure every photograph, and say where that differs ({key})</source>
        <translation>Jedes Foto messen und sagen, wo das abweicht ({key})</translation>
    </message>
    <message>
        <source>show what is missed</source>
        <translation>Verfehltes zeigen</translation>
    </message>
    <message>
        <source>Show what only exact search finds ({key})</source>
        <translation>Zeigen, was nur die genaue Suche findet ({key})</translation>
    </message>
    <message>
        <source>**{count}** photographs in **{ms} ms**</source>
        <translation>**{count}** Fotos in **{ms} ms**</translation>
    </message>
    <message>
        <source>extract 0 (known)</source>
        <translation>Beschreiben 0 (bekannt)</translation>
    </message>
    <message>
        <source>extract {ms}</source>
        <translation>Beschreiben {ms}</translation>
    </message>
    <message>
        <source>encode {ms}</source>
        <translation>Codieren {ms}</translation>
    </message>
    <message>
        <source>scan {ms}</source>
        <translation>Durchsehen {ms}</translation>
    </message>
    <message>
        <source>re-rank {ms}</source>
        <translation>Ordnen {ms}</translation>
    </message>
    <message>
        <source>check {ms}</source>
        <translation>Prüfung {ms}</translation>
    </message>
    <message>
        <source>checking …</source>
        <translation>wird geprüft …</translation>
    </message>
    <message>
        <source>looked at {count}</source>
        <translation>{count} angesehen</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>genau</translation>
    </message>
    <message>
        <source>exact agrees **{agrees} / {k}**</source>
        <translation>genau stimmt **{agrees} / {k}** zu</translation>
    </message>
    <message>
        <source>exact: {ms} ms, agrees **{agrees} / {k}**</source>
        <translation>genau: {ms} ms, gleich **{agrees} / {k}**</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>hide what is missed</source>
        <translation>Verfehltes verbergen</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>Undoing</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>VerdictButton</name>
    <message>
        <source>Mark similar to what was asked with</source>
        <translation>Als ähnlich zum Gefragten markieren</translation>
    </message>
    <message>
        <source>Mark different from what was asked with</source>
        <translation>Als verschieden vom Gefragten markieren</translation>
    </message>
    <message>
        <source>{0}; again takes it back ({1})</source>
        <translation>{0}; noch einmal nimmt es zurück ({1})</translation>
    </message>
</context>
<context>
    <name>Viewer</name>
    <message>
        <source>Photograph</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>Previous photograph</source>
        <translation>Voriges Foto</translation>
    </message>
    <message>
        <source>Next photograph</source>
        <translation>Nächstes Foto</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Drag a rectangle   ·   Enter searches with it   ·   Esc leaves</source>
        <translation>Rechteck ziehen   ·   Eingabe sucht damit   ·   Esc bricht ab</translation>
    </message>
    <message>
        <source>Enter finds look-alikes   ·   R a part of it   ·   Esc back</source>
        <translation>Eingabe findet Ähnliche   ·   R ein Ausschnitt   ·   Esc zurück</translation>
    </message>
    <message>
        <source>S similar   ·   D different</source>
        <translation>S ähnlich   ·   D verschieden</translation>
    </message>
</context>
<context>
    <name>VocabularyControl</name>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Learning a vocabulary…</source>
        <translation>Ein Vokabular wird gelernt…</translation>
    </message>
    <message>
        <source>Describing the photographs by the new vocabulary…</source>
        <translation>Die Fotos werden mit dem neuen Vokabular beschrieben…</translation>
    </message>
</context>
<context>
    <name>WeightBars</name>
    <message>
        <source>{0}: counts {1} times as much as before</source>
        <translation>{0}: zählt {1}-mal so viel wie zuvor</translation>
    </message>
    <message>
        <source>counts more</source>
        <translation>zählt mehr</translation>
    </message>
    <message>
        <source>counts less</source>
        <translation>zählt weniger</translation>
    </message>
</context>
<context>
    <name>WeightPopup</name>
    <message>
        <source>Weight of {name}</source>
        <translation>Gewicht von {name}</translation>
    </message>
    <message>
        <source>like</source>
        <translation>wie</translation>
    </message>
    <message>
        <source>The results should be like it</source>
        <translation>Die Ergebnisse sollen ihm gleichen</translation>
    </message>
    <message>
        <source>not like</source>
        <translation>nicht wie</translation>
    </message>
    <message>
        <source>The results should not be like it</source>
        <translation>Die Ergebnisse sollen ihm nicht gleichen</translation>
    </message>
    <message>
        <source>◩ crop</source>
        <translation>◩ Ausschnitt</translation>
    </message>
    <message>
        <source>Ask with a part of the picture only</source>
        <translation>Nur mit einem Teil des Bildes fragen</translation>
    </message>
    <message>
        <source>◐ change</source>
        <translation>◐ ändern</translation>
    </message>
    <message>
        <source>Change these colours</source>
        <translation>Diese Farben ändern</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Counts **{weight} ×** for the results</source>
        <translation>Zählt **{weight} ×** für die Ergebnisse</translation>
    </message>
    <message>
        <source>Counts **{weight} ×** against the results</source>
        <translation>Zählt **{weight} ×** gegen die Ergebnisse</translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message>
        <source>Why this match</source>
        <translation>Warum dieser Treffer</translation>
    </message>
    <message>
        <source>Choose a result to see why it is there.</source>
        <translation>Wählen Sie ein Ergebnis, um zu sehen, warum es da ist.</translation>
    </message>
    <message>
        <source>see large</source>
        <translation>groß ansehen</translation>
    </message>
    <message>
        <source>See both pictures large, with the lines</source>
        <translation>Beide Bilder groß ansehen, mit den Linien</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Photograph</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>Similarity **{similarity}** by the exact measure ({measure}), distance {distance}</source>
        <translation>Ähnlichkeit **{similarity}** nach dem genauen Maß ({measure}), Abstand {distance}</translation>
    </message>
    <message>
        <source>hide the lines</source>
        <translation>Linien verbergen</translation>
    </message>
    <message>
        <source>show the lines</source>
        <translation>Linien zeigen</translation>
    </message>
    <message>
        <source>Code, {bits} bits</source>
        <translation>Code, {bits} Bit</translation>
    </message>
    <message>
        <source>**{count}** bits differ</source>
        <translation>**{count}** Bit verschieden</translation>
    </message>
    <message>
        <source>**{count}** bits differ · estimated {what} **{estimate}**</source>
        <translation>**{count}** Bit verschieden · geschätzt: {what} **{estimate}**</translation>
    </message>
    <message>
        <source>**{share} %** of the colours are shared: above what was asked, below this photograph</source>
        <translation>**{share} %** der Farben sind gemeinsam: oben das Gesuchte, unten dieses Foto</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>The language changes when the work under way is done.</source>
        <translation>Die Sprache wechselt, sobald die laufende Arbeit fertig ist.</translation>
    </message>
</context>
<context>
    <name>_Picture</name>
    <message>
        <source>Point at a photograph</source>
        <translation>Auf ein Foto zeigen</translation>
    </message>
</context>
<context>
    <name>_Square</name>
    <message>
        <source>Purer to the right, brighter to the top</source>
        <translation>Nach rechts reiner, nach oben heller</translation>
    </message>
    <message>
        <source>Purity {pure} %, brightness {bright} %</source>
        <translation>Reinheit {pure} %, Helligkeit {bright} %</translation>
    </message>
</context>
</TS>
