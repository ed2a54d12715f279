/** Programs of a user, as the documents name them. */
package com.example;
