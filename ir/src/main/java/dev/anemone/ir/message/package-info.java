/** What a running job tells run-time passes. */
package dev.anemone.ir.message;
