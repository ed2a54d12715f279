/** The operators that run Beam's primitive transforms inside tasks. */
package dev.anemone.beam.operator;
