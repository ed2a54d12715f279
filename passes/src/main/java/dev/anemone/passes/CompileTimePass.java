package dev.anemone.passes;

/** A pass that runs before the job starts. */
public sealed interface CompileTimePass extends Pass
    permits AnnotatingPass, ReshapingPass, CompositePass {}
