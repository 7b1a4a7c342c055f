<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AddingControl</name>
    <message numerus="yes">
        <source>%n new photograph(s)</source>
        <translation>
            <numerusform>%n new photograph</numerusform>
            <numerusform>%n new photographs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n changed</numerusform>
            <numerusform>%n changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n moved</source>
        <translation>
            <numerusform>%n moved</numerusform>
            <numerusform>%n moved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n missing</numerusform>
            <numerusform>%n missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be read</source>
        <translation>
            <numerusform>%n file could not be read</numerusform>
            <numerusform>%n files could not be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still to be added</source>
        <translation>
            <numerusform>%n still to be added</numerusform>
            <numerusform>%n still to be added</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AdviceControl</name>
    <message numerus="yes">
        <source>Since then the library has grown by %n photograph(s): ask again.</source>
        <translation>
            <numerusform>Since then the library has grown by %n photograph: ask again.</numerusform>
            <numerusform>Since then the library has grown by %n photographs: ask again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Since then the library has %n photograph(s) less: ask again.</source>
        <translation>
            <numerusform>Since then the library has %n photograph less: ask again.</numerusform>
            <numerusform>Since then the library has %n photographs less: ask again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AdviceModel</name>
    <message numerus="yes">
        <source>%n question(s) were asked</source>
        <translation>
            <numerusform>%n question was asked</numerusform>
            <numerusform>%n questions were asked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AdviceRun</name>
    <message numerus="yes">
        <source>%n measured</source>
        <translation>
            <numerusform>%n measured</numerusform>
            <numerusform>%n measured</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AdviceView</name>
    <message numerus="yes">
        <source>Advice needs %n photographs or more: among so few, any index finds everything.</source>
        <translation>
            <numerusform>Advice needs %n photograph or more: among so few, any index finds everything.</numerusform>
            <numerusform>Advice needs %n photographs or more: among so few, any index finds everything.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CheckCard</name>
    <message numerus="yes">
        <source>Damage found: %n</source>
        <translation>
            <numerusform>Damage found: %n</numerusform>
            <numerusform>Damage found: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Rows without a checksum yet: %n. A rescan protects them.</source>
        <translation>
            <numerusform>Rows without a checksum yet: %n. A rescan protects them.</numerusform>
            <numerusform>Rows without a checksum yet: %n. A rescan protects them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareHead</name>
    <message numerus="yes">
        <source>One photograph, %n index(es)</source>
        <translation>
            <numerusform>One photograph, %n index</numerusform>
            <numerusform>One photograph, %n indexes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Forgetting</name>
    <message numerus="yes">
        <source>“{0}” is back in the library, with %n photo(s).</source>
        <translation>
            <numerusform>“{0}” is back in the library, with %n photo.</numerusform>
            <numerusform>“{0}” is back in the library, with %n photos.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{0}” and its %n photo(s) are no longer in the library. The files are untouched.</source>
        <translation>
            <numerusform>“{0}” and its %n photo are no longer in the library. The file is untouched.</numerusform>
            <numerusform>“{0}” and its %n photos are no longer in the library. The files are untouched.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Frame</name>
    <message numerus="yes">
        <source>%n file(s) could not be read</source>
        <translation>
            <numerusform>%n file could not be read</numerusform>
            <numerusform>%n files could not be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still to be added</source>
        <translation>
            <numerusform>%n still to be added</numerusform>
            <numerusform>%n still to be added</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IndexCard</name>
    <message numerus="yes">
        <source>%n photograph(s)</source>
        <translation>
            <numerusform>%n photograph</numerusform>
            <numerusform>%n photographs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bit(s) each</source>
        <translation>
            <numerusform>%n bit each</numerusform>
            <numerusform>%n bits each</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IndexesPage</name>
    <message numerus="yes">
        <source>%n index(es), side by side on the same photographs</source>
        <translation>
            <numerusform>%n index, side by side on the same photographs</numerusform>
            <numerusform>%n indexes, side by side on the same photographs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LearnHead</name>
    <message numerus="yes">
        <source>Learn from %n mark(s)</source>
        <translation>
            <numerusform>Learn from %n mark</numerusform>
            <numerusform>Learn from %n marks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not enough marks yet: about %n more would help.</source>
        <translation>
            <numerusform>Not enough marks yet: about %n more would help.</numerusform>
            <numerusform>Not enough marks yet: about %n more would help.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learning from %n mark(s)…</source>
        <translation>
            <numerusform>Learning from %n mark…</numerusform>
            <numerusform>Learning from %n marks…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learned from %n mark(s)</source>
        <translation>
            <numerusform>Learned from %n mark</numerusform>
            <numerusform>Learned from %n marks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s) for a photograph</source>
        <translation>
            <numerusform>%n waits for a photograph</numerusform>
            <numerusform>%n wait for a photograph</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) marked both ways</source>
        <translation>
            <numerusform>%n pair marked both ways</numerusform>
            <numerusform>%n pairs marked both ways</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %n more mark(s) would help.</source>
        <translation>
            <numerusform>About %n more mark would help.</numerusform>
            <numerusform>About %n more marks would help.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryView</name>
    <message numerus="yes">
        <source>%n photo(s) still to be added.</source>
        <translation>
            <numerusform>%n photo still to be added.</numerusform>
            <numerusform>%n photos still to be added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photograph(s)</source>
        <translation>
            <numerusform>%n photograph</numerusform>
            <numerusform>%n photographs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MarkChanges</name>
    <message numerus="yes">
        <source>%n mark(s) removed.</source>
        <translation>
            <numerusform>%n mark removed.</numerusform>
            <numerusform>%n marks removed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) written into {0}.</source>
        <translation>
            <numerusform>%n mark written into {0}.</numerusform>
            <numerusform>%n marks written into {0}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) taken in.</source>
        <translation>
            <numerusform>%n mark taken in.</numerusform>
            <numerusform>%n marks taken in.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MarksControl</name>
    <message numerus="yes">
        <source>Marked as alike: %n photograph(s).</source>
        <translation>
            <numerusform>Marked as alike: %n photograph.</numerusform>
            <numerusform>Marked as alike: %n photographs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) taken back.</source>
        <translation>
            <numerusform>%n mark taken back.</numerusform>
            <numerusform>%n marks taken back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Pair</name>
    <message numerus="yes">
        <source>%n line(s) between what agrees</source>
        <translation>
            <numerusform>%n line between what agrees</numerusform>
            <numerusform>%n lines between what agrees</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PairsControl</name>
    <message numerus="yes">
        <source>%n pair(s) taken from your marks.</source>
        <translation>
            <numerusform>%n pair taken from your marks.</numerusform>
            <numerusform>%n pairs taken from your marks.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PairsPanel</name>
    <message numerus="yes">
        <source>%n pair(s)</source>
        <translation>
            <numerusform>%n pair</numerusform>
            <numerusform>%n pairs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PhotographActions</name>
    <message numerus="yes">
        <source>%n photograph(s) copied</source>
        <translation>
            <numerusform>%n photograph copied</numerusform>
            <numerusform>%n photographs copied</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read:</source>
        <translation>
            <numerusform>%n could not be read:</numerusform>
            <numerusform>%n could not be read:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PhotographMenu</name>
    <message numerus="yes">
        <source>Mark all %n confirmed as similar</source>
        <translation>
            <numerusform>Mark all %n confirmed as similar</numerusform>
            <numerusform>Mark all %n confirmed as similar</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProblemsPage</name>
    <message numerus="yes">
        <source>%n file(s) could not be read. Your other photographs are not affected.</source>
        <translation>
            <numerusform>%n file could not be read. Your other photographs are not affected.</numerusform>
            <numerusform>%n files could not be read. Your other photographs are not affected.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n mended</source>
        <translation>
            <numerusform>%n mended</numerusform>
            <numerusform>%n mended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) read again</source>
        <translation>
            <numerusform>%n file read again</numerusform>
            <numerusform>%n files read again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chosen</source>
        <translation>
            <numerusform>%n chosen</numerusform>
            <numerusform>%n chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message numerus="yes">
        <source>%n photograph(s) inside</source>
        <translation>
            <numerusform>%n photograph inside</numerusform>
            <numerusform>%n photographs inside</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n photograph(s) selected</source>
        <translation>
            <numerusform>%n photograph selected</numerusform>
            <numerusform>%n photographs selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message numerus="yes">
        <source>%n more after this</source>
        <translation>
            <numerusform>%n more after this</numerusform>
            <numerusform>%n more after this</numerusform>
        </translation>
    </message>
</context>
</TS>
