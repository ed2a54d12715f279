/**
 * Run-time passes: they draw the ranges of shuffles while the job runs, from what a sample of the
 * producers has sent.
 */
package dev.anemone.passes.runtime;
