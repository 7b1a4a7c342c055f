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
    <name>Frame</name>
    <message numerus="yes">
        <source>%n file(s) could not be read</source>
        <translation>
            <numerusform>%n file could not be read</numerusform>
            <numerusform>%n files could not be read</numerusform>
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
    <name>LibraryView</name>
    <message numerus="yes">
        <source>%n photograph(s)</source>
        <translation>
            <numerusform>%n photograph</numerusform>
            <numerusform>%n photographs</numerusform>
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
</TS>
